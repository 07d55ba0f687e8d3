-- expect: {file}:5: joint 'motor': 'angle' is missing
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod }
m:simulate { duration = 1 }
return m
