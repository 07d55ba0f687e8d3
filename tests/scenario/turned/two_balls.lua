-- SPDX-License-Identifier: MIT
-- A body on two ball joints, the second one 0.2 mm off the x axis: 6 rows of rank 5. The row of the
-- second one along x is independent of the first by 2e-4 only; the two others serve.
local m = model { name = "two balls", dim = 3, gravity = { 0, 0, -9.81 } }
local body = m:body { name = "body", mass = 1, inertia = { 0.2, 0.3, 0.4 }, at = { 0.5, 0.7, 0 } }
m:joint { "spherical", name = "one", m.ground, body, point = { 0, 0, 0 } }
m:joint { "spherical", name = "two", m.ground, body, point = { 1, 2e-4, 0 } }
m:simulate { duration = 2 }
return m
