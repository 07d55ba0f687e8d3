local m = model { name = "gear on an arm", dim = 3 }
local arm = m:body { name = "arm", mass = 1, inertia = { 1, 1, 1 } }
local planet = m:body { name = "planet", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 0, 0 } }
m:joint { "revolute", name = "main", m.ground, arm, axis = { 0, 0, 1 } }
m:joint { "revolute", name = "pin", arm, planet, axis = { 1, 0, 0 } }
m:joint { "gear", name = "mesh", arm, planet, world_axis1 = { 0, 0, 1 }, world_axis2 = { 1, 0, 0 }, ratio = 3 }
m:port { arm, name = "tip", at = { 1, 0, 0 } }
return m
