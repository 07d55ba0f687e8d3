local m = model { name = "arm", dim = 3 }
local b = m:body { name = "b", mass = 1, inertia = { 1, 1, 1 } }
m:port { b, name = "mass" }
return m
