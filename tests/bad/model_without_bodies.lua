-- expect: {file}: the model has no bodies; add one: m:body { ... }
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
m:simulate { duration = 1 }
return m
