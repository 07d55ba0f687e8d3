-- Constraints and forces of your own on bodies: a car on a track of any shape, with air drag.
local m = model { name = "roller coaster", gravity = { 0, -9.81 } }

local car = m:body { name = "car", mass = 300, inertia = 80, at = { 0, 10 }, velocity = { 1, 0 } }

-- The height of the track, and its slope.
local function height(x) return 6 + 4 * cos(0.3 * x) end
local function slope(x) return -1.2 * sin(0.3 * x) end

m:constraint { name = "track", car, phi = function(b, t) return b.y - height(b.x) end }
m:constraint {
    name = "along", unit = "rad", car,
    phi = function(b, t) return b.angle - atan(slope(b.x)) end,
}
m:force {
    name = "drag", car,
    force = function(b, t) return -0.8 * norm(b.v) * b.v end,
}

m:simulate { duration = 5 }
return m
