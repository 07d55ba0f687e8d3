-- expect: {file}:8: a traced value is used outside of its function
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
local kept
m:force { "torque", name = "f", m.ground, rod, moment = function(t) kept = t return t end }
local x = kept + 1
m:simulate { duration = 1 }
return m
