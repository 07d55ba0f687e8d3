-- SPDX-License-Identifier: MIT
-- A particle on a sphere with Coulomb friction, a constraint that is not ideal. It is held from
-- both sides.
--
--     phi = sqrt(x^2 + y^2 + z^2) - R,   C = -mu |lambda| v / |v|
--
-- lambda is the normal force, inward: m (|v|^2 - g z) / R [N].
-- Reference: Udwadia and Kalaba, Analytical Dynamics: constraints that do work.
-- Compared: position and velocity.

local s = system {
    name = "sphere with friction",
    coordinates = { "x", "y", "z" },
    units = { x = "m", y = "m", z = "m" },
    parameters = { m = 1, R = 1, mu = 0.1, g = 9.81 },  -- [kg], [m], [1], [m/s^2]
}

s:mass(function(q, t, p) return { p.m, p.m, p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:constraint {
    name = "sphere", unit = "m",
    phi = function(q, t, p) return sqrt(q.x ^ 2 + q.y ^ 2 + q.z ^ 2) - p.R end,
}
s:nonideal(function(q, v, t, p, reaction)
    local friction = p.mu * abs(reaction.sphere) / sqrt(v.x ^ 2 + v.y ^ 2 + v.z ^ 2)
    return { -friction * v.x, -friction * v.y, -friction * v.z }
end)
s:start { x = 1, v = { y = 3, z = 1 } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 2 }
return s
