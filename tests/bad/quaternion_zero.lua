-- expect: {file}:4: body 'rod': 'quaternion' is zero; {1, 0, 0, 0} is no rotation
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = { 0.1, 0.1, 0.1 }, quaternion = { 0, 0, 0, 0 }, at = { 0.5, 0, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
return m
