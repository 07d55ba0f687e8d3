-- expect: {file}:6: joint 'bar': cannot be assembled, 1.5 m remain; check the positions and lengths of its bodies, or a joint that contradicts it; all others can be closed
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "distance", name = "bar", m.ground, rod, point1 = { 0, 0 }, point2 = { 0, 0 }, length = 2 }
m:simulate { duration = 1 }
return m
