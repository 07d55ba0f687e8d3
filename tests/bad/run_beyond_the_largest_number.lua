-- expect: {file}:4: body 'block': its motion grows without bounds at t = 5e+299 s; take a smaller step; no step is possible after t = 0 s
-- exit: 1
local m = model { name = "test" }
m:body { name = "block", mass = 1, inertia = 0.1, velocity = { 1e14, 0 } }
m:simulate { duration = 1e301, integrator = "rk4", step = 1e300 }
return m
