-- expect: {file}: coordinate 'x': t = {number} s: the step size fell to {number} s; something changes too fast there for the tolerances: look for a function or a law with a pole or a jump, or a mass that goes to 0, or enlarge rtol and atol; it has the largest acceleration ({number})
-- exit: 1
local s = system { coordinates = { "x" } }
s:mass(function(q, t, p) return { 1 - q.x } end)
s:force(function(q, v, t, p) return { 1 } end)
s:simulate { duration = 10 }
return s
