local m = model { name = "arm" }
m:body { name = "b", mas = 1, inertia = 1 }
return m
