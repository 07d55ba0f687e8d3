-- expect: {file}:7: joint 'brake': its velocity contradicts the other joints at t = 0 s (1 rad/s cannot be removed); remove or change one of them
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t) return t end }
m:joint { "driven_angle", name = "brake", m.ground, rod, angle = function(t) return 0 end }
m:simulate { duration = 1 }
return m
