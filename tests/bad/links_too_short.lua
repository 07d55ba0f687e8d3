-- expect: {file}:8: joint 'wall': cannot be assembled, 3 m remain; check the positions and lengths of its bodies, or a joint that contradicts it; all others can be closed
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
local bar = m:body { name = "bar", mass = 1, inertia = 0.1, at = { 5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "revolute", name = "tip", rod, bar, point1 = { 0.5, 0 }, point2 = { -0.5, 0 } }
m:joint { "revolute", name = "wall", m.ground, bar, point1 = { 5, 0 }, point2 = { 0.5, 0 } }
m:simulate { duration = 1 }
return m
