-- expect: option '--set': 'length' is not NAME=VALUE; write it as --set N=40
-- exit: 2
-- args: --set length
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
