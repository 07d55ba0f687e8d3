-- expect: option '--set': 'length' is given twice; keep one of 'length=1' and 'length=2'
-- exit: 2
-- args: --set length=1 --set length=2
local n = parameter("length", 1)
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
