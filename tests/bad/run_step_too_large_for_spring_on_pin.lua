-- expect: {file}:5: joint 'pin': velocities would have to jump at t = 0.01 s ({number} m/s): the step of 0.01 s is too large, or its function has a jump or a kink there, or the motion is at its limit; no step is possible after t = 0 s
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { "spring", name = "s", m.ground, rod, point1 = { 2, 0 }, point2 = { 0, 0 }, length = 1, stiffness = 1e9 }
m:simulate { duration = 1, integrator = "rk4", step = 0.01 }
return m
