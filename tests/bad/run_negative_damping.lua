-- expect: {file}:4: body 'block': grows without bounds, {number} m/s at t = {number} s; kinetic energy grows exponentially: look for a force with a wrong sign or a negative damping; no step is possible after t = {number} s
-- exit: 1
local m = model { name = "test" }
local block = m:body { name = "block", mass = 1, inertia = 0.1, velocity = { 1, 0 } }
m:force { name = "push", block, force = function(b, t) return { 10 * b.vx, 0 } end }
m:simulate { duration = 1000 }
return m
