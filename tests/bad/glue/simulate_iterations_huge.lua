-- expect: {file}:8: simulate: max_iterations = 1000000000 must be between 1 and 10000
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { max_iterations = 1e9 }
return g
