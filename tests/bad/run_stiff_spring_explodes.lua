-- expect: {file}:4: body 'block': grows without bounds, {number} m/s at t = {number} s; the step of 0.01 s is too large for the stiffest spring or fastest motion: take a smaller one, an integrator that chooses it (dop853), or an implicit one (radau5); no step is possible after t = {number} s
-- exit: 1
local m = model { name = "test" }
local block = m:body { name = "block", mass = 1, inertia = 0.1, at = { 0.5, 0 }, velocity = { 1, 0 } }
m:force { "spring", name = "s", m.ground, block, point1 = { -2, 0 }, point2 = { 0, 0 }, length = 1, stiffness = 1e6 }
m:simulate { duration = 1, integrator = "rk4", step = 0.01 }
return m
