-- expect: {file}:5: coordinate 'x': its force is not a finite number at t = 0 s; check the function there
-- exit: 3
local s = system { coordinates = { "x" } }
s:mass(function(q, t, p) return { 1 } end)
s:force(function(q, v, t, p) return { -1e300 * q.x ^ 3 } end)
s:start { x = 1e3 }
s:simulate { duration = 1, integrator = "rk4", step = 0.1 }
return s
