-- expect: {file}:5: joint 'pin': the first entry must be its kind, a string, got body
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1 }
return m
