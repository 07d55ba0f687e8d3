-- expect: {file}:3: model: name contains a zero byte
-- exit: 3
local m = model { name = "te\0st", gravity = { 0, -9.81 } }
m:body { name = "rod", mass = 1, inertia = 0.1 }
m:simulate { duration = 1 }
return m
