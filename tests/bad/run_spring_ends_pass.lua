-- expect: {file}:5: force 's': its ends have passed through each other at t = {number} s, where its force has no direction; keep them apart, or let it vanish there (length = 0)
-- exit: 1
local m = model { name = "spring" }
local a = m:body { name = "a", mass = 1, inertia = 1, at = { 1, 0 }, velocity = { -20, 0 } }
m:force { "spring", name = "s", m.ground, a, stiffness = 100, length = 0.5 }
m:simulate { duration = 1, integrator = "rk4", step = 1e-3 }
return m
