-- expect: {file}: the file has no parameter 'lenght'; did you mean 'length'?
-- exit: 3
-- args: --set lenght=2
local n = parameter("length", 1)
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
