-- expect: {file}:5: module 'left': ./gear_on_arm.lua:6: joint 'mesh': its axes are not fixed in one common body that does not turn: body 'planet' can move otherwise than about 'world_axis2'; hold it on ground by a revolute, cylindrical or screw joint along that axis, or name the body that carries the axes as 'carrier'
-- exit: 3

local g = coupled { name = "bad", dim = 3 }
local left = g:module { name = "left", model = "gear_on_arm.lua" }
g:joint { "spherical", name = "hook", g.ground, left.tip }
g:simulate { duration = 0.1, step = 1e-2 }
return g
