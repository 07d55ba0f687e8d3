-- expect: {file}: module 'left': the velocity of port 'mass' is not a number; at t = 0 s
-- exit: 1

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "hostile.so", set = { fault = "motion", m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { duration = 0.1, step = 1e-2 }
return g
