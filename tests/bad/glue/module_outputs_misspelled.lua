-- expect: {file}:5: module 'left': output 'lower.xx': the model has no such column; did you mean 'lower.x'?
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", model = "arm.lua", outputs = { "lower.xx" } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.hand, right.mass }
g:simulate { duration = 0.1, step = 1e-2 }
return g
