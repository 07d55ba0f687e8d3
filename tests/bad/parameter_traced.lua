-- expect: {file}:6: parameter: a traced value cannot be a default; give a number
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { "torque", name = "f", m.ground, rod, moment = function(t) return parameter("k", t) end }
return m
