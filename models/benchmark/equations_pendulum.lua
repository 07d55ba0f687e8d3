-- SPDX-License-Identifier: MIT
-- The pendulum as two equations of motion and a constraint: a point mass in the plane x, z, which
-- a rod without mass keeps at the distance L from the origin. Released from the horizontal.
--
--     m x'' = 0,   m z'' = -m g,   phi = sqrt(x^2 + z^2) - L
--
-- lambda is the tension of the rod [N]: 3 m g cos(theta), theta from the downward vertical. Period
-- 2.36784194757623745 s, energy 0.
-- Reference: Masarati, Adding kinematic constraints to purely differential dynamics, 4.1.
-- Compared: x, z, their rates and lambda.

local s = system {
    name = "pendulum in equations",
    coordinates = { "x", "z" },
    units = { x = "m", z = "m" },
    parameters = { m = 1, L = 1, g = 9.81 },  -- [kg], [m], [m/s^2]
}

s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:constraint {
    name = "rod", unit = "m", phi = function(q, t, p) return sqrt(q.x ^ 2 + q.z ^ 2) - p.L end,
}
s:energy(function(q, v, t, p) return p.m * (v.x ^ 2 + v.z ^ 2) / 2 + p.m * p.g * q.z end)
s:start { x = 1, z = 0 }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return s
