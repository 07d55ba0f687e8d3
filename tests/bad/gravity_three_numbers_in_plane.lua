-- expect: {file}:3: model: 'gravity' has three numbers; write dim = 3 for a spatial model
-- exit: 3
local m = model { name = "test", gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
