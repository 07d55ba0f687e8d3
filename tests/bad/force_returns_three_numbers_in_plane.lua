-- expect: {file}:6: force 'push': force: the function must return 2 numbers, got 3
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { name = "push", rod, force = function(b, t) return { 1, 2, 3 } end }
m:simulate { duration = 1 }
return m
