-- expect: {file}:4: body: the name has 5000 bytes; at most 100 are allowed
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = ("x"):rep(5000), mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1 }
return m
