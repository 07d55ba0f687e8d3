-- SPDX-License-Identifier: MIT
-- A bead on a vertical hoop with Coulomb friction, a constraint that is not ideal: the force along
-- the hoop depends on the reaction across it. Starts at the bottom, theta from there.
--
--     phi = sqrt(x^2 + y^2) - R,   C = -mu |lambda| v / |v|
--
-- lambda is the normal force, inward [N]. C is along the hoop, so it does not change lambda. In
-- closed form, while lambda > 0 (theta < 2.08):
--
--     theta'^2 = A cos(theta) + B sin(theta) + (64 - A) exp(-2 mu theta),   R = 1
--     B = -6 mu g / (1 + 4 mu^2),   A = 2 g + 2 mu B
--
-- Reference: Udwadia and Kalaba, Analytical Dynamics: constraints that do work.
-- Compared: theta, its rate and lambda.

local s = system {
    name = "bead on a hoop",
    coordinates = { "x", "y" },
    units = { x = "m", y = "m" },
    parameters = { m = 1, R = 1, mu = 0.2, g = 9.81 },  -- [kg], [m], [1], [m/s^2]
}

s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { y = -p.m * p.g } end)
s:constraint {
    name = "hoop", unit = "m", phi = function(q, t, p) return sqrt(q.x ^ 2 + q.y ^ 2) - p.R end,
}
s:nonideal(function(q, v, t, p, reaction)
    local friction = p.mu * abs(reaction.hoop) / sqrt(v.x ^ 2 + v.y ^ 2)
    return { -friction * v.x, -friction * v.y }
end)
s:start { x = 0, y = -1, v = { x = 8, y = 0 } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.33961245582369673 }
return s
