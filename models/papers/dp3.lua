-- SPDX-License-Identifier: MIT
-- Two particles in space with drag: the first at 1 m from a point that moves along x, the second at
-- 1.5 m from the first and in its plane y = const. The support moves from the first instant on, so
-- the velocities given are changed to fit.

local s = system {
    name = "double pendulum on a moving support",
    coordinates = { "x1", "y1", "z1", "x2", "y2", "z2" },
    units = { x1 = "m", y1 = "m", z1 = "m", x2 = "m", y2 = "m", z2 = "m" },
    parameters = { m1 = 2, m2 = 3, g = 9.81, drag = 0.1 },  -- [kg], [m/s^2], [N s/m]
}

s:mass(function(q, t, p) return { p.m1, p.m1, p.m1, p.m2, p.m2, p.m2 } end)
s:force(function(q, v, t, p)
    return {
        -p.drag * v.x1, -p.drag * v.y1, -p.drag * v.z1 - p.m1 * p.g,
        -p.drag * v.x2, -p.drag * v.y2, -p.drag * v.z2 - p.m2 * p.g,
    }
end)
s:constraint {
    name = "arm", unit = "m^2",
    phi = function(q, t, p)
        return ((q.x1 - 0.1 * sin(2 * t)) ^ 2 + q.y1 ^ 2 + q.z1 ^ 2 - 1) / 2
    end,
}
s:constraint {
    name = "rod", unit = "m^2",
    phi = function(q, t, p)
        return ((q.x2 - q.x1) ^ 2 + (q.y2 - q.y1) ^ 2 + (q.z2 - q.z1) ^ 2 - 2.25) / 2
    end,
}
s:constraint { name = "plane", unit = "m", phi = function(q, t, p) return q.y2 - q.y1 end }
s:energy(function(q, v, t, p)
    local T1 = p.m1 * (v.x1 ^ 2 + v.y1 ^ 2 + v.z1 ^ 2) / 2
    local T2 = p.m2 * (v.x2 ^ 2 + v.y2 ^ 2 + v.z2 ^ 2) / 2
    return T1 + T2 + p.g * (p.m1 * q.z1 + p.m2 * q.z2)
end)
s:start { x1 = 1, x2 = 1, z2 = -1.5, v = { y1 = 0.7, y2 = 0.7 } }

s:simulate { integrator = "rk4", step = 0.01, duration = 5 }
return s
