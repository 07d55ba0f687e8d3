-- expect: {file}: coordinate 'x': its motion has neither mass nor a constraint that holds it at t = 0.5 s; give it mass > 0, or a constraint
-- exit: 1
local s = system { coordinates = { "x" } }
s:mass(function(q, t, p) return { where(less(t, 0.5), 1, -1) } end)
s:force(function(q, v, t, p) return { 1 } end)
s:simulate { duration = 1 }
return s
