-- SPDX-License-Identifier: MIT
-- The particle of appell_hamel.lua with a horizontal spring, -k (x - x0), so that its heading
-- changes. Starts with the horizontal speed 3 m/s and the heading 0.9 rad.
--
--     psi = z'^2 - a^2 (x'^2 + y'^2)
--
-- Compared: positions, horizontal speed and heading.

local s = system {
    name = "Appell and Hamel with a spring",
    coordinates = { "x", "y", "z" },
    units = { x = "m", y = "m", z = "m" },
    parameters = { m = 1, a = 0.5, g = 9.81, k = 4, x0 = 1 },  -- [kg], [1], [m/s^2], [N/m], [m]
}

s:mass(function(q, t, p) return { p.m, p.m, p.m } end)
s:force(function(q, v, t, p) return { x = -p.k * (q.x - p.x0), z = -p.m * p.g } end)
s:nonholonomic {
    name = "climb",
    psi = function(q, v, t, p) return v.z ^ 2 - p.a ^ 2 * (v.x ^ 2 + v.y ^ 2) end,
}
s:energy(function(q, v, t, p)
    return p.m * (v.x ^ 2 + v.y ^ 2 + v.z ^ 2) / 2 + p.m * p.g * q.z + p.k * (q.x - p.x0) ^ 2 / 2
end)
s:start { v = { x = 3 * math.cos(0.9), y = 3 * math.sin(0.9), z = 1.5 } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.6 }
return s
