-- expect: {file}: module 'left': predict: ./screw.lua:4: joint 'thread': t = 0 s: a counted angle turns by more than 5 rad within a step; take a smaller step or max_step; at t = 0.01 s
-- exit: 1
-- One turn within a step looks like rest.

local g = coupled { name = "bad", dim = 3 }
local left = g:module { name = "left", model = "screw.lua" }
g:joint { "point_on_line", name = "guide", g.ground, left.top }
g:simulate { duration = 0.1, step = 1e-2 }
return g
