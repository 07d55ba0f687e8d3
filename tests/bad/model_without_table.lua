-- expect: {file}:4: attempt to index a function value (local 'm'); call it first, as in model { ... }
-- exit: 3
local m = model
local rod = m:body { name = "rod", mass = 1 }
return m
