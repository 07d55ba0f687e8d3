-- expect: {file}:4: body 'rod': 'inertia' violates the triangle inequality: no body has the principal moments 0.1, 0.1 and 0.3 kg m^2, the largest exceeds the sum of the others; check its numbers and that they are about the center of mass
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = { 0.3, 0.1, 0.1 }, at = { 0.5, 0, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
return m
