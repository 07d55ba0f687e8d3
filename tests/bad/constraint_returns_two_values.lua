-- expect: {file}:5: the function returns 2 values; make them a list: return { a, b }
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t) return b.x, b.y end }
m:simulate { duration = 1 }
return m
