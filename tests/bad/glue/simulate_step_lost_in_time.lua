-- expect: {file}:8: simulate: step = 0.001 s is too small at times of 1e+15 s, where numbers are 0.22 s apart; begin at an earlier start
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { start = 1e15, step = 1e-3 }
return g
