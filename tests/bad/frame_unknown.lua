-- expect: {file}:5: joint 'pin': there is no frame 'tip'; add it above this joint, with m:frame{}
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5, 0, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, frame2 = "tip", axis = { 0, 1, 0 } }
return m
