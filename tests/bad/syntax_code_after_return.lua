-- expect: {file}:6: <eof> expected near 'm'; 'return' must be the last statement, or there is one 'end' too many
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
