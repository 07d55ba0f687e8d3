-- expect: {file}:4: body 'rod': at: the list has a gap; is a variable in it misspelled or not defined?
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, nil, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1 }
return m
