-- A spinning top in space: one body on a ball joint. It precesses and nods.
local spin = parameter("spin", 150.0) -- about its own axis [rad/s]
local tilt = math.rad(30) -- of its axis against the vertical
local coordinates = parameter("coordinates", "body") -- or "quaternion"

local m = model { name = "top", dim = 3, gravity = { 0, 0, -9.81 }, coordinates = coordinates }

-- The body frame stands at the tip, z along the axis; the center of mass is 4 cm up. Moments of
-- inertia are about the center of mass. `rotation` is axis times angle: tilted about x.
local top = m:body {
    name = "top", mass = 0.5, inertia = { 3e-4, 3e-4, 4e-4 }, com = { 0, 0, 0.04 },
    rotation = { tilt, 0, 0 },
    angular_velocity = { 0, -spin * sin(tilt), spin * cos(tilt) }, -- in world axes
}
m:joint { "spherical", name = "tip", m.ground, top, point = { 0, 0, 0 } }

-- A frame is followed by the results: crown.x, crown.y, ...
m:frame { top, name = "crown", at = { 0, 0, 0.08 } }

m:simulate { duration = 2 }
return m
