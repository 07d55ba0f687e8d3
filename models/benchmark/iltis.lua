-- SPDX-License-Identifier: MIT
-- The right front suspension of the Bombardier Iltis, which drives at 5 m/s over a bump: a hub with
-- its wheel, an A-arm, and a leaf spring and a tie rod that have no mass. 23 rows, one degree of
-- freedom, a singular mass matrix. The world moves with the chassis, x forward, z up.
-- References: Marques, Souto and Flores 2017; Frik, Leister and Schwartz 1993 for the points, and
-- for the bump, which begins here after 10 m, when the suspension has settled.
-- With tie = "spherical" nothing holds the tie rod's rotation about itself, which has no inertia.

local m = model { name = "Iltis suspension", dim = 3, gravity = { 0, 0, -9.81 } }

-- Points at the start, in the world [m].
local wheel = { 0, -0.615, 0.356 }
local arm_pivot, arm_ball = { 0, -0.259, 0.302 }, { 0, -0.572, 0.229 }
local leaf_pivot, leaf_ball = { 0, -0.1585, 0.600 }, { 0, -0.488, 0.531 }
local tie_inner, tie_outer = { -0.14, -0.070, 0.600 }, { -0.14, -0.448, 0.531 }
local shock_arm, shock_chassis = { 0.075, -0.500, 0.241 }, { 0.075, -0.297, 0.632 }

-- The A-arm's frame stands at mid-length, its center of mass, with y from the ball to the pivot.
local arm_center = { 0, (arm_pivot[2] + arm_ball[2]) / 2, (arm_pivot[3] + arm_ball[3]) / 2 }
local arm_angle = math.atan(arm_pivot[3] - arm_ball[3], arm_pivot[2] - arm_ball[2])

local hub = m:body { name = "hub", mass = 57.35, inertia = { 1.2402, 1.9080, 1.2402 }, at = wheel }
local arm = m:body {
    name = "arm", mass = 6, inertia = { 0.052099, 0.023235, 0.068864 },
    at = arm_center, rotation = { arm_angle, 0, 0 },
}
local leaf = m:body { name = "leaf", mass = 0, at = leaf_pivot }
local tie = m:body { name = "tie rod", mass = 0, at = tie_inner }

local c, s = math.cos(arm_angle), math.sin(arm_angle)
local dy, dz = shock_arm[2] - arm_center[2], shock_arm[3] - arm_center[3]
m:frame { arm, name = "shock end", at = { shock_arm[1], c * dy + s * dz, c * dz - s * dy } }
m:frame { m.ground, name = "shock mount", at = shock_chassis }
m:frame { leaf, name = "U", at = { 0, leaf_ball[2] - leaf_pivot[2], leaf_ball[3] - leaf_pivot[3] } }

m:joint { "revolute", name = "arm pivot", m.ground, arm, point = arm_pivot, axis = { 1, 0, 0 } }
m:joint { "spherical", name = "arm ball", arm, hub, point = arm_ball }
m:joint { "revolute", name = "leaf pivot", m.ground, leaf, point = leaf_pivot, axis = { 1, 0, 0 } }
m:joint { "spherical", name = "leaf ball", leaf, hub, point = leaf_ball }
if parameter("tie", "universal") == "spherical" then
    m:joint { "spherical", name = "tie inner", m.ground, tie, point = tie_inner }
else
    -- The second axis of the cross is perpendicular to x and to the rod.
    m:joint {
        "universal", name = "tie inner", m.ground, tie, point = tie_inner,
        world_axis1 = { 1, 0, 0 },
        world_axis2 = { 0, tie_inner[3] - tie_outer[3], tie_outer[2] - tie_inner[2] },
    }
end
m:joint { "spherical", name = "tie outer", tie, hub, point = tie_outer }

-- Equations (53) and (54): forces over the length and over its rate, positive where they pull. The
-- rate's pieces meet within 2e-4 N.
m:force {
    "spring", name = "shock", m.ground, arm, world1 = shock_chassis, world2 = shock_arm,
    length = 0, stiffness = polynomial { -4.0092e6, 2.8397e7, -6.7061e7, 5.2796e7 },
    damping = piecewise {
        { -math.huge, { -416.42, 1844.3 } },
        { -0.2, { 0, 9945.627, 33955.72, -59832.25, -395651.0 } },
        { 0.21, { 1919.1638, 1634.727 } },
    },
}

-- The leaf pushes its end down, in proportion to its height above 0.455 m; from 0.145 m more on
-- a stop joins in.
m:force {
    "bump_stop", name = "leaf spring", m.ground, leaf, world2 = leaf_ball, axis = { 0, 0, 1 },
    limit = 0.455, stiffness = 35900,
}
m:force {
    "bump_stop", name = "leaf stop", m.ground, leaf, world2 = leaf_ball, axis = { 0, 0, 1 },
    limit = 0.455 + 0.145, stiffness = 1e7,
}

-- The bump is 0.1 (1 - cos(2 pi (x - 10) / 5)) for x from 10 m to 15 m; with x counted from its
-- crest, 0.1 (1 + cos(2 pi x / 5)). Up to x^24 the series of the cosine is right to 2e-14.
local bump, term = {}, 0.1
for k = 0, 24, 2 do
    bump[k + 1], bump[k + 2] = term, 0
    term = -term * (2 * math.pi / 5) ^ 2 / ((k + 1) * (k + 2))
end
bump[1] = 0.2
m:force {
    "contact", name = "tire", m.ground, hub, radius = 0.364325, stiffness = 460000,
    speed = 5, offset = -12.5,
    profile = piecewise { { -math.huge, { 0 } }, { -2.5, bump }, { 2.5, { 0 } } },
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 6 }
return m
