-- expect: {file}:8: joint 'mesh': t = 0 s: a counted angle turns by more than 5 rad within a step; take a smaller step or max_step
-- exit: 1
-- Two turns within a step look like rest.

local g = coupled { name = "bad", dim = 3 }
local left = g:module { name = "left", model = "wheel.lua" }
local right = g:module { name = "right", model = "wheel.lua" }
g:joint { "gear", name = "mesh", left.shaft, right.shaft, world_axis1 = { 0, 0, 1 }, world_axis2 = { 0, 0, 1 }, ratio = 1 }
g:simulate { duration = 0.1, step = 1e-2 }
return g
