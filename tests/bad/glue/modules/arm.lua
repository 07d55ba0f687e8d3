local m = model { name = "arm", gravity = { 0, -9.81 } }
local mass = parameter("mass", 1)
local lower = m:body { name = "lower", mass = mass, inertia = 1, at = { 0.1, 0 } }
m:port { lower, name = "hand" }
return m
