-- expect: {file}:4: mass: the matrix is not symmetric at t = 0 s: 0 in row 'z', column 'x', but 0.5 in row 'x', column 'z'; make them equal
-- exit: 3
local s = system { coordinates = { "x", "z" }, parameters = { m = 1, L = 1, g = 9.81 } }
s:mass(function(q, t, p) return { { 1, 0.5 }, { 0, 1 } } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:simulate { duration = 1 }
return s
