-- expect: {file}:5: joint 'pin': 'axis' is missing: a direction in the world at the start, e.g. {0, 0, 1}
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5, 0, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0, 0 } }
return m
