-- expect: {file}:8: simulate: 'rho' is not read by gluing 'gauss' with scheme 'newmark', but by generalized_alpha; leave it out, or choose what reads it
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { rho = 0.5 }
return g
