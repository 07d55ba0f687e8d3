-- expect: {file}:6: tabulated needs at least two points {x, y}
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { "spring", name = "s", m.ground, rod, point1 = { 0, 1 }, point2 = { 0, 0 }, length = 1, stiffness = tabulated { { 0, 0 } } }
m:simulate { duration = 1 }
return m
