-- expect: {file}:3: collectgarbage is not available in model files; memory is managed automatically
-- exit: 3
collectgarbage("stop")
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
