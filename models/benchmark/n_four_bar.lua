-- SPDX-License-Identifier: MIT
-- A02 of the IFToMM library: N four-bars in a row, 2N+1 uniform links of 1 m and 1 kg. Cranks i
-- stand on (i, 0), i = 0..N; couplers join their upper ends. Whenever the cranks are horizontal,
-- the degrees of freedom rise from 1 to N+1; the motion continues as a parallelogram.
--
-- `angle` is that of the cranks at the start, from the vertical to the right [rad]: pi/2 is the
-- singular position itself. `g` is gravity [m/s^2].

local N = parameter("N", 10)
local angle = parameter("angle", 0.0)
local g = parameter("g", 9.81)
local link = 1 / 12  -- inertia of a uniform link about its center [kg m^2]

-- The upper end of a crank, from its lower one [m].
local x, y = math.sin(angle), math.cos(angle)

local m = model { name = "N-four-bar", gravity = { 0, -g } }

local cranks, couplers = {}, {}
for i = 0, N do
    cranks[i] = m:body {
        name = "crank" .. i, mass = 1, inertia = link, at = { i, 0 }, angle = math.pi / 2 - angle,
        com = { 0.5, 0 }, angular_velocity = -1,
    }
end
for i = 1, N do
    couplers[i] = m:body {
        name = "coupler" .. i, mass = 1, inertia = link, at = { i - 1 + x, y }, com = { 0.5, 0 },
        velocity = { y, -x },
    }
end

for i = 0, N do
    m:joint { "revolute", name = "ground" .. i, m.ground, cranks[i], point = { i, 0 } }
end
for i = 1, N do
    m:joint { "revolute", name = "left" .. i, cranks[i - 1], couplers[i], point = { i - 1 + x, y } }
    m:joint { "revolute", name = "right" .. i, cranks[i], couplers[i], point = { i + x, y } }
end

m:simulate { rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
