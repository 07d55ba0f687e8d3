-- expect: {file}:7: joint 'weld': frame1: frame 'weld.frame1': 'at' must be finite, not nan
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = "mass_spring.so", set = { m = 2, k = 30, q = 0.1 } }
g:joint { "revolute", name = "weld", left.mass, right.mass, frame1 = { at = { 0/0, 0 } } }
g:simulate { duration = 0.1, step = 1e-2 }
return g
