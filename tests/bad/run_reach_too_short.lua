-- expect: {file}:7: joint 'motor': drives the mechanism into a dead point at t = 1.412 s: joints 'O', 'pin' and 'slot' cannot follow it any further; end or reverse the drive before that time, change lengths, or start in another assembly mode; no step is possible after t = {number} s
-- exit: 1
local m = model { name = "stuck" }
local a = m:body { name = "a", mass = 1, inertia = 0.1, angle = 0.1 }
local b = m:body { name = "b", mass = 1, inertia = 0.1, at = { 0.995, 0.0998 }, angle = -0.201 }
m:joint { "revolute", name = "O", m.ground, a, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, a, angle = function(t) return 0.1 + 0.3 * t end }
m:joint { "revolute", name = "pin", a, b, point1 = { 1, 0 }, point2 = { 0, 0 } }
m:joint { "point_on_line", name = "slot", m.ground, b, point1 = { 0, 0 }, axis = { 1, 0 }, point2 = { 0.5, 0 } }
m:simulate { duration = 3 }
return m
