local m = model { name = "arm" }
m:body { name = "b", mass = 1, inertia = 1 }
return m
