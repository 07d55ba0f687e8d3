local m = model { name = "wheel", dim = 3 }
local wheel = m:body { name = "wheel", mass = 1, inertia = { 1, 1, 1 }, angular_velocity = { 0, 0, 400 * math.pi } }
m:joint { "revolute", name = "bearing", m.ground, wheel, axis = { 0, 0, 1 } }
m:port { wheel, name = "shaft" }
return m
