-- expect: {file}:6: polynomial needs at least one coefficient, e.g. {0, 100}
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
local law = polynomial {}
m:simulate { duration = 1 }
return m
