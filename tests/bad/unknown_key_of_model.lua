-- expect: {file}:3: model: unknown key 'gravitiy'; did you mean 'gravity'?
-- exit: 3
local m = model { name = "test", gravitiy = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
