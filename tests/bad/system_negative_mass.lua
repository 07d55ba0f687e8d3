-- expect: {file}:4: coordinate 'x': its mass is -1; kinetic energy would be negative: check the function
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:mass(function(q, t, p) return { -1, 1 } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:simulate { duration = 1 }
return s
