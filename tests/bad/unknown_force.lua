-- expect: {file}:6: force 's': unknown kind 'spirng'; did you mean 'spring'?
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { "spirng", name = "s", m.ground, rod, stiffness = 1 }
m:simulate { duration = 1 }
return m
