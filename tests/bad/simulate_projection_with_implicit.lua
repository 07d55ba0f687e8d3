-- expect: {file}: 'step_projection' cannot be combined with integrator 'generalized_alpha', which enforces the position constraints by itself; leave it out, or use dop853
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, integrator = "generalized_alpha", step = 0.01, step_projection = "direct" }
return m
