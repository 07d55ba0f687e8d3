local m = model { gravity = { 0, -9.81 } }
local b = m:body { name = "b", mass = 1, inertia = 1, at = { 1, 0 } }
m:constraint { name = "c", b, phi = function(b, t) return b.x^2 + b.y^2 - where(less(t, 1), 1, 2) end }
return m
