-- expect: {file}:6: start: there is no coordinate or state 'y' above this line; choose from x, z
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:start { y = 1 }
s:simulate { duration = 1 }
return s
