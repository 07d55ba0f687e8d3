-- SPDX-License-Identifier: MIT
-- A spatial pendulum of five bars with hinges whose axes alternate: it starts at rest as a
-- staircase in the horizontal plane and is chaotic, so that errors grow about tenfold every second.
--
-- Body frames stand at the inner end of each bar, with the axes of the world at the start.

local m = model { name = "five-bar pendulum", dim = 3, gravity = { 0, 0, -9.81 } }

local x, y = { 1, 0, 0 }, { 0, 1, 0 }

-- Square section of 0.1 m: along a bar, and across it [kg m^2].
local along, across = 1 / 600, 1.01 / 12

local previous, arm, at = m.ground, { 0, 0, 0 }, { 0, 0, 0 }
for i = 1, 5 do
    local odd = i % 2 == 1
    local d = odd and x or y
    local bar = m:body {
        name = "bar" .. i, mass = 1, at = at, com = { d[1] / 2, d[2] / 2, 0 },
        inertia = odd and { along, across, across } or { across, along, across },
    }
    m:joint {
        "revolute", name = "hinge" .. i, previous, bar,
        point1 = arm, point2 = { 0, 0, 0 }, axis = odd and y or x,
    }
    m:frame { bar, name = "E" .. i, at = d }
    previous, arm, at = bar, d, { at[1] + d[1], at[2] + d[2], 0 }
end

m:simulate { integrator = "dop853", rtol = 1e-12, atol = 1e-12, duration = 5 }
return m
