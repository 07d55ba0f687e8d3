-- expect: {file}:4: body 'rod': t = 0.3 s: the step size fell to {number} s; something changes too fast there for the tolerances: look for a function or a law with a pole or a jump, or enlarge rtol and atol; it has the largest acceleration ({number} rad/s^2)
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t) return 0.1 * (sqrt(0.09 - t * t) - 0.3) end }
m:simulate { duration = 1 }
return m
