-- expect: {file}: coordinate 'y': its motion together with that of others has neither mass nor a constraint that holds it at t = 0 s; make the mass matrix positive definite, or add a constraint
-- exit: 3
local s = system { coordinates = { "x", "y", "z" } }
s:mass(function() return { { 1, 1, 0 }, { 1, 1, 0 }, { 0, 0, 1 } } end)
s:force(function() return { 1, 2, 3 } end)
s:constraint { name = "c", phi = function(q, t) return q.z - 0.25 * t ^ 2 end }
return s
