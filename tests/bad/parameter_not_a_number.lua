-- expect: {file}:4: parameter 'length' must be a number, as its default is; got 'long'
-- exit: 3
-- args: --set length=long
local n = parameter("length", 1)
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
