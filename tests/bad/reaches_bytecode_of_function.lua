-- expect: {file}:3: string.dump is not available in model files
-- exit: 3
local s = string.dump(function() end)
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
