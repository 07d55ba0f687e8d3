-- expect: {file}:4: body 'rod': its motion along x has no inertia of its own, which method 'lagrange_schur' does not support; give it some, or use direct_mass
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 0, inertia = 0, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t) return t end }
m:simulate { duration = 1, method = "lagrange_schur" }
return m
