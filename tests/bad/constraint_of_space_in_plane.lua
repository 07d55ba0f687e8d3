-- expect: {file}:5: a body of the plane has no 'z'; it has x, y, angle, vx, vy, omega, r, v, point and velocity
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t) return b.z end }
m:simulate { duration = 1 }
return m
