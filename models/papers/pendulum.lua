-- SPDX-License-Identifier: MIT
-- A point mass in the plane of x and z at the distance L from the origin, released at rest from the
-- horizontal: Masarati, Comput. Mech. 47 (2011), section 4.1. lambda is the tension.

local s, p = system {
    name = "pendulum of Masarati",
    coordinates = { "x", "z" },
    units = { x = "m", z = "m" },
    parameters = { m = 1, L = 1, g = 9.81 },
}

s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:constraint {
    name = "rod", unit = "m",
    phi = function(q, t, p) return sqrt(q.x ^ 2 + q.z ^ 2) - p.L end,
}
s:energy(function(q, v, t, p) return p.m * (v.x ^ 2 + v.z ^ 2) / 2 + p.m * p.g * q.z end)
s:start { x = p.L, z = 0 }

s:simulate { integrator = "rk4", step = 0.01, duration = 10 }
return s
