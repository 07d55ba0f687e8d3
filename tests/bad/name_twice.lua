-- expect: {file}:5: body 'rod': there is already a body of this name; choose another
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
local arm = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
