-- expect: {file}:4: body 'rod': 'at' must be a vector {x, y, z}, got a list of 2 numbers
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
return m
