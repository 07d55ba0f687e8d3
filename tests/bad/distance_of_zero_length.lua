-- expect: {file}:5: joint 'bar': 'length' must be positive, not 0
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "distance", name = "bar", m.ground, rod, point1 = { 0.5, 0 }, point2 = { 0, 0 }, length = 0 }
m:simulate { duration = 1 }
return m
