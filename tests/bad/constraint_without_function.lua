-- expect: {file}:5: constraint 'track': 'phi' must be a function, got nil
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod }
m:simulate { duration = 1 }
return m
