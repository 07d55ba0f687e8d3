-- expect: {file}: output_step = 1e-12 s gives 1.0e+12 rows; take a larger one (at most 1e+11 rows are possible)
-- exit: 3
-- args: --csv -
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, output_step = 1e-12 }
return m
