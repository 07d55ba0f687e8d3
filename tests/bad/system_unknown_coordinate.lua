-- expect: {file}:5: force: there is no coordinate 'y'; choose from x, z
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { y = -p.m * p.g } end)
s:simulate { duration = 1 }
return s
