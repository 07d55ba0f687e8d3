local w = 200 * math.pi
local m = model { name = "screw", dim = 3 }
local nut = m:body { name = "nut", mass = 1, inertia = { 1, 1, 1 }, angular_velocity = { 0, 0, w }, velocity = { 0, 0, 10 } }
m:joint { "screw", name = "thread", m.ground, nut, axis = { 0, 0, 1 }, pitch = 0.1 }
m:port { nut, name = "top" }
return m
