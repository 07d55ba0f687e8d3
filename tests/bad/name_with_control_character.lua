-- expect: {file}:4: body: the name contains a control character, number 27; line ends, tabs and the like cannot be in a name
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod\27[2J", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1 }
return m
