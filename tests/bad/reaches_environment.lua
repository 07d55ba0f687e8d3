-- expect: {file}:3: _G is not available in model files; use local variables
-- exit: 3
_G.x = 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
