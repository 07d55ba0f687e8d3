-- expect: {file}: integrator 'hht' has a fixed step in form 'index3'; give one, e.g. step = 1e-3 (--step 1e-3), or use form 'ggl'
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, integrator = "hht", form = "index3" }
return m
