local m = model { dim = 3, gravity = { 0, 0, -9.81 } }
local b = m:body { name = "b", mass = 1, inertia = { 1, 2, 2.5 }, at = { 1, 0, 0 } }
m:joint { "spherical", name = "A", m.ground, b, point = { 0, 0, 0 } }
m:force { "spring", name = "s", m.ground, b, stiffness = 10, length = 1 }
return m
