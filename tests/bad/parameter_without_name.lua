-- expect: {file}:3: parameter needs a name: parameter("N", 40)
-- exit: 3
local n = parameter()
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
