-- expect: {file}:5: undefined variable 'ground'; write m.ground, of the model m
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", ground, rod, point = { 0, 0 } }
return m
