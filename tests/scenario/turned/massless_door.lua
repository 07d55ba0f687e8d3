-- SPDX-License-Identifier: MIT
-- A door on two ball joints in a frame that has no mass, and a weight on two ball joints at the
-- door: 17 rows of rank 15.
local m = model { name = "massless door", dim = 3, gravity = { 0, 0, -9.81 } }
local frame = m:body { name = "frame", mass = 0, inertia = { 0, 0, 0 }, angular_velocity = { 0, 1, 0 } }
local door = m:body {
    name = "door", mass = 1, inertia = { 0.2, 0.3, 0.4 }, at = { 0.5, 0.3, 0.4 },
    angular_velocity = { 0, 1, 0 }, velocity = { 0.4, 0, -0.5 },
}
local weight = m:body {
    name = "weight", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0.7, 0.6, 0.5 },
    angular_velocity = { 0, 1, 0 }, velocity = { 0.5, 0, -0.7 },
}
m:joint { "revolute", name = "post", m.ground, frame, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
m:joint { "spherical", name = "top", frame, door, point = { 0.2, 0, 0.1 } }
m:joint { "spherical", name = "bottom", frame, door, point = { 0.9, 0, 0.5 } }
m:joint { "spherical", name = "left", door, weight, point = { 0.5, 0.4, 0.4 } }
m:joint { "spherical", name = "right", door, weight, point = { 0.7, 0.4, 0.4 } }
m:simulate { duration = 2 }
return m
