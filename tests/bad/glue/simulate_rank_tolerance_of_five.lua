-- expect: {file}:8: simulate: rank_tolerance = 5 must be from 1e-06 to 0.1; 1e-4 is usual
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { rank_tolerance = 5 }
return g
