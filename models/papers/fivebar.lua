-- SPDX-License-Identifier: MIT
-- Five bars of 1 m and 1 kg hang on each other in a horizontal zigzag and are released at rest: 35
-- coordinates with the rates of quaternions as velocities, a mass matrix of rank 30, 30 rows with
-- the norms of the quaternions.
-- Marques, Souto and Flores, Multibody Syst. Dyn. 39 (2017), section 4, show the pose in a drawing
-- only; angles and axes here are a choice. Each frame stands in the middle of its bar, with x along
-- it.

local m = model {
    name = "five-bar of Marques, Souto and Flores", dim = 3, gravity = { 0, 0, -9.81 },
    coordinates = "quaternion",
}

local J = { 1 / 600, 1.01 / 12, 1.01 / 12 }  -- square section of 0.1 m [kg m^2]
local axes = { { 0, 1, 0 }, { 0.3, 0.9, 0.3 } }

local previous, inner = m.ground, { 0, 0, 0 }
for i = 1, 5 do
    local odd = i % 2 == 1
    local turn = odd and -0.5 or 0.5  -- about z [rad]
    local d = { math.cos(turn), math.sin(turn) }
    local bar = m:body {
        name = "bar" .. i, mass = 1, inertia = J,
        at = { inner[1] + d[1] / 2, inner[2] + d[2] / 2, 0 }, rotation = { 0, 0, turn },
    }
    m:joint {
        "revolute", name = "hinge" .. i, previous, bar, point = inner, axis = axes[odd and 1 or 2],
    }
    previous, inner = bar, { inner[1] + d[1], inner[2] + d[2], 0 }
end

m:simulate { integrator = "rk4", step = 1e-3, duration = 2 }
return m
