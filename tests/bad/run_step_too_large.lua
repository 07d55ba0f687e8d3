-- expect: {file}:5: joint 'pin': positions would have to jump at t = 2 s ({number} m): the step of 2 s is too large, or its function has a jump there, or the motion is at its limit; no step is possible after t = 0 s
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 100, integrator = "rk4", step = 2 }
return m
