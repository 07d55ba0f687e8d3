-- expect: {file}:6: joint 'motor': its function jumps by 1 rad at t = 0.5 s, which would need an impulse; make it continuous
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t) return where(less(t, 0.5), 0, 1) end }
m:simulate { duration = 1 }
return m
