-- expect: {file}:3: parameter 'length' is not given and has no default
-- exit: 3
local n = parameter("length")
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
