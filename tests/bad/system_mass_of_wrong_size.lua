-- expect: {file}:4: mass: the function must return 2 rows of 2 numbers, or a list of 2: the diagonal; got 1
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:mass(function(q, t, p) return { p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:simulate { duration = 1 }
return s
