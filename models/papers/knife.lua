-- SPDX-License-Identifier: MIT
-- A knife edge that turns steadily and is pulled along x, at rest in the origin at the start: it
-- moves along its own direction only.
--
--     theta = w t     x' = u cos(theta), y' = u sin(theta)     u = (g / w) sin(theta)

local s = system {
    name = "knife edge",
    coordinates = { "x", "y", "theta" },
    units = { x = "m", y = "m", theta = "rad" },
    parameters = { m = 1.5, J = 0.4, g = 3, w = 2 },  -- [kg], [kg m^2], [m/s^2], [rad/s]
}

s:mass(function(q, t, p) return { p.m, p.m, p.J } end)
s:force(function(q, v, t, p) return { x = p.m * p.g } end)
s:nonholonomic {
    name = "blade", unit = "m",
    psi = function(q, v, t, p) return v.x * sin(q.theta) - v.y * cos(q.theta) end,
}
s:energy(function(q, v, t, p)
    return p.m * (v.x ^ 2 + v.y ^ 2) / 2 + p.J * v.theta ^ 2 / 2 - p.m * p.g * q.x
end)
s:start { v = { theta = 2 } }

s:simulate { integrator = "rk4", step = 0.01, duration = 5 }
return s
