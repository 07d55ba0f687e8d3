-- expect: {file}:3: setmetatable is not available in model files; use plain tables and functions
-- exit: 3
local t = setmetatable({}, {})
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
