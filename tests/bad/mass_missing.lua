-- expect: {file}:4: body 'rod': 'mass' is missing; 0 is allowed for a massless body
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1 }
return m
