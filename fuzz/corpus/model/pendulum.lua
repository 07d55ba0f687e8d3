local m = model { name = "p", gravity = { 0, -9.81 } }
local b = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "A", m.ground, b, point = { 0, 0 } }
m:simulate { method = "direct", duration = 1 }
return m
