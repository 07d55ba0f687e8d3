-- SPDX-License-Identifier: MIT
-- A plate is fixed to a swinging arm by two pins, as a bolted joint is: 6 rows of rank 5. Which row
-- of the second pin is the better one changes as the arm turns.
local m = model { name = "two pins", gravity = { 0, -9.81 } }
local arm = m:body { name = "arm", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
local plate = m:body { name = "plate", mass = 1, inertia = 0.1, at = { 1.2, 0.3 } }
m:joint { "revolute", name = "pivot", m.ground, arm, point = { 0, 0 } }
m:joint { "revolute", name = "pin1", arm, plate, point = { 0.8, 0.1 } }
m:joint { "revolute", name = "pin2", arm, plate, point = { 1.0, 0.2 } }
m:simulate { duration = 3 }
return m
