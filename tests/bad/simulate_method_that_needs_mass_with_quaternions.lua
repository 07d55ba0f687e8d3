-- expect: {file}:4: body 'rod': its mass matrix is singular in quaternion coordinates, which method 'lagrange_schur' does not support; use direct_mass, or coordinates = "body"
-- exit: 3
local m = model { dim = 3, coordinates = "quaternion" }
local rod = m:body { name = "rod", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 0, 0 } }
m:joint { "spherical", name = "pin", m.ground, rod, point = { 0, 0, 0 } }
m:simulate { duration = 1, method = "lagrange_schur" }
return m
