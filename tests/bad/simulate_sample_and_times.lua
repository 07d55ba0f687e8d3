-- expect: {file}:6: simulate: output_step and output_times exclude each other; keep one of them
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, output_step = 0.1, output_times = { 0, 1 } }
return m
