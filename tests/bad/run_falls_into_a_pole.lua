-- expect: {file}:4: body 'block': t = 1 s: the step size fell to {number} s; something changes too fast there for the tolerances: look for a function or a law with a pole or a jump, or enlarge rtol and atol; it has the largest acceleration ({number} m/s^2)
-- exit: 1
local m = model { name = "test" }
local block = m:body { name = "block", mass = 1, inertia = 0.1, at = { 1, 0 } }
m:force { name = "pull", block, force = function(b, t) return { -1 / b.x ^ 3, 0 } end }
m:simulate { duration = 10 }
return m
