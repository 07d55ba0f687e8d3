-- expect: {file}:5: module 'left': outputs: number 1 must be a string, got number
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1 }, outputs = { 3 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { duration = 0.1, step = 1e-2 }
return g
