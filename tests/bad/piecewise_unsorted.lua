-- expect: {file}:6: piecewise: piece 2 must start after piece 1
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
local law = piecewise { { 0, { 0, 1 } }, { -1, { 0, 2 } } }
m:simulate { duration = 1 }
return m
