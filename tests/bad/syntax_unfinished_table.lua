-- expect: {file}:5: '}' expected (to close '{' at line 4) near 'm'
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
return m
