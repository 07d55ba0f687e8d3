-- SPDX-License-Identifier: MIT
-- The particle of Appell and Hamel: it climbs in a fixed ratio to the speed at which it travels, a
-- constraint that is not linear in the velocities.
--
--     psi = z'^2 - a^2 (x'^2 + y'^2)   [m^2/s^2]
--
-- By Gauss' principle (Chetaev) the reaction is along d psi / d v. Seen from above, the path is
-- straight and the speed falls as 3 - g a / (1 + a^2) t. At t = 0.764525993883792 s the particle
-- would be at rest, where d psi / d v is zero. The energy is constant, for psi is homogeneous in v.
-- Reference: Hamel, Theoretische Mechanik; Neimark and Fufaev, Dynamics of Nonholonomic Systems.
-- Compared: positions and velocities.

local s = system {
    name = "Appell and Hamel",
    coordinates = { "x", "y", "z" },
    units = { x = "m", y = "m", z = "m" },
    parameters = { m = 1, a = 0.5, g = 9.81 },  -- [kg], [1], [m/s^2]
}

s:mass(function(q, t, p) return { p.m, p.m, p.m } end)
s:force(function(q, v, t, p) return { z = -p.m * p.g } end)
s:nonholonomic {
    name = "climb",
    psi = function(q, v, t, p) return v.z ^ 2 - p.a ^ 2 * (v.x ^ 2 + v.y ^ 2) end,
}
s:energy(function(q, v, t, p)
    return p.m * (v.x ^ 2 + v.y ^ 2 + v.z ^ 2) / 2 + p.m * p.g * q.z
end)
s:start { v = { x = 1.8, y = 2.4, z = 1.5 } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.75 }
return s
