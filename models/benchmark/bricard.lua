-- SPDX-License-Identifier: MIT
-- A04 of the IFToMM library, the rectangular Bricard mechanism: five rods and the ground in a loop
-- of six hinges, each hinge perpendicular to both its links. 30 rows, of which 29 are independent:
-- one degree of freedom, which a count of bodies and joints does not show. Off the loop's own
-- motion the 30 equations contradict each other. Starts at rest.
--
-- Body frames stand at the first hinge of each rod, with the axes of the world at the start.

local m = model { name = "Bricard", dim = 3, gravity = { 0, -9.81, 0 } }

local P = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, -1, 0 }, { 1, -1, 1 }, { 0, -1, 1 }, { 0, 0, 1 } }
local axis = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }

-- Square section of 0.1 m: along a rod, and across it [kg m^2].
local along, across = 1 / 600, 1.01 / 12

local previous, arm = m.ground, { 0, 0, 0 }
for i = 1, 5 do
    local d, inertia = {}, {}
    for k = 1, 3 do
        d[k] = P[i + 1][k] - P[i][k]
        inertia[k] = d[k] == 0 and across or along
    end
    local rod = m:body {
        name = "rod" .. i, mass = 1, inertia = inertia, at = P[i],
        com = { d[1] / 2, d[2] / 2, d[3] / 2 },
    }
    m:joint {
        "revolute", name = "hinge" .. i, previous, rod,
        point1 = arm, point2 = { 0, 0, 0 }, axis = axis[i],
    }
    previous, arm = rod, d
end
m:joint {
    "revolute", name = "hinge6", previous, m.ground, point1 = arm, point2 = P[6], axis = axis[6],
}

m:frame { "rod2", name = "P2", at = { 0, -1, 0 } }
m:frame { "rod3", name = "P3", at = { 0, 0, 1 } }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
