-- expect: {file}:6: force 'motor': not a finite number at t = 0.5 s; check its function or law there
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { "torque", name = "motor", m.ground, rod, moment = function(t) return where(less(t, 0.5), 1, 1 / 0) end }
m:simulate { duration = 1 }
return m
