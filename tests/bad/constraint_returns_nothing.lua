-- expect: {file}:5: constraint 'track': the function must return a number or a list of numbers, got nil; is 'return' missing?
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t) local x = b.x end }
m:simulate { duration = 1 }
return m
