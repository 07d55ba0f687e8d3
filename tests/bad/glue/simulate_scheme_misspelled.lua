-- expect: {file}:8: simulate: unknown scheme 'newmrak'; did you mean 'newmark'?
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { scheme = "newmrak" }
return g
