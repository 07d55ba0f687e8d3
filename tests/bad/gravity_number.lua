-- expect: {file}:3: model: 'gravity' must be a vector {x, y}, got a number
-- exit: 3
local m = model { name = "test", gravity = 9.81 }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
