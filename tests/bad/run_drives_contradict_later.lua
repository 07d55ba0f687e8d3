-- expect: {file}:7: joint 'brake': cannot be closed at t = {number} s ({number} rad remain); the mechanism may be at its limit, or another joint contradict it (see drives and lengths), or the step too large; no step is possible after t = {number} s
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t) return 0 * t end }
m:joint { "driven_angle", name = "brake", m.ground, rod, angle = function(t) return where(less(t, 0.5), 0, (t - 0.5) ^ 2) end }
m:simulate { duration = 1 }
return m
