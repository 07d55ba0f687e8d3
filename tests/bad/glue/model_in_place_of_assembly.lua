-- expect: {file}: this is a model, which 'trammel run' simulates; an assembly begins with coupled { ... } and names its modules
-- exit: 3

local m = model { name = "m" }
m:body { name = "b", mass = 1, inertia = 1 }
return m
