-- expect: {file}:3: coroutine is not available in model files; use functions and loops
-- exit: 3
local c = coroutine.create(function() end)
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
