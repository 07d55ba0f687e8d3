-- SPDX-License-Identifier: MIT
-- A door hangs in a frame by two ball joints, whose line turns with the frame: 11 rows of rank 10.
local m = model { name = "door", dim = 3, gravity = { 0, 0, -9.81 } }
local frame = m:body { name = "frame", mass = 2, inertia = { 1, 1, 1 }, angular_velocity = { 0, 1, 0 } }
local door = m:body {
    name = "door", mass = 1, inertia = { 0.2, 0.3, 0.4 }, at = { 0.5, 0.3, 0.4 },
    angular_velocity = { 0, 1, 0 }, velocity = { 0.4, 0, -0.5 },
}
m:joint { "revolute", name = "post", m.ground, frame, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
m:joint { "spherical", name = "top", frame, door, point = { 0.2, 0, 0.1 } }
m:joint { "spherical", name = "bottom", frame, door, point = { 0.9, 0, 0.5 } }
m:simulate { duration = 3 }
return m
