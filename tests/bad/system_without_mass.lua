-- expect: {file}: the system has no mass; give it: s:mass(function(q, t, p) ... end)
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:simulate { duration = 1 }
return s
