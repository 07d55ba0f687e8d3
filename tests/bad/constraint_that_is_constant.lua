-- expect: {file}:5: constraint 'track': row 1 depends on no coordinate; check its function
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t) return 1 end }
m:simulate { duration = 1 }
return m
