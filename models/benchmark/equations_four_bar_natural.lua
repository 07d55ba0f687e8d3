-- SPDX-License-Identifier: MIT
-- The four-bar of four_bar.lua in natural coordinates, the positions of its pins A (crank and
-- coupler) and B (coupler and follower), with one constraint too many: the length of the coupler is
-- held twice, once as a distance and once as its square. Four rows of rank 3; the motion is unique,
-- the multipliers of the two rows are not.
--
-- A bar of mass m, length L and inertia J about its middle has in the positions of its ends
--
--     M = | f I  g I |     f = m / 4 + J / L^2
--         | g I  f I |     g = m / 4 - J / L^2
--
-- Reference: Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of Multibody Systems;
-- Marques, Souto and Flores, On the constraints violation ..., Table 1.
-- Compared: A, B and the rates of the bars.

local l1, l2, l3 = 2, 4, 4          -- crank, coupler, follower [m]
local m1, m2, m3 = 1, 2.25, 2.2     -- [kg]
local J1, J2, J3 = 0.3, 2.0, 1.35   -- [kg m^2]
local xd = 2.5                      -- D, the pivot of the follower, is at (xd, 0) [m]

local s = system {
    name = "four-bar in natural coordinates",
    coordinates = { "xa", "ya", "xb", "yb" },
    units = { xa = "m", ya = "m", xb = "m", yb = "m" },
    parameters = { g = 9.81 },  -- [m/s^2]
}

-- f and g of the table above.
local function bar(m, J, L)
    return m / 4 + J / L ^ 2, m / 4 - J / L ^ 2
end

local f1 = bar(m1, J1, l1)
local f2, g2 = bar(m2, J2, l2)
local f3 = bar(m3, J3, l3)
local Ma, Mb = f1 + f2, f2 + f3  -- [kg]

s:mass(function(q, t, p)
    return {
        { Ma, 0, g2, 0 },
        { 0, Ma, 0, g2 },
        { g2, 0, Mb, 0 },
        { 0, g2, 0, Mb },
    }
end)

-- Half of the weight of a bar acts at either end.
local wa, wb = (m1 + m2) / 2, (m2 + m3) / 2  -- [kg]
s:force(function(q, v, t, p) return { ya = -wa * p.g, yb = -wb * p.g } end)

local function square(x, y)
    return x ^ 2 + y ^ 2
end

s:constraint {
    name = "crank", unit = "m", phi = function(q, t, p) return sqrt(square(q.xa, q.ya)) - l1 end,
}
s:constraint {
    name = "coupler", unit = "m",
    phi = function(q, t, p) return sqrt(square(q.xb - q.xa, q.yb - q.ya)) - l2 end,
}
s:constraint {
    name = "follower", unit = "m",
    phi = function(q, t, p) return sqrt(square(q.xb - xd, q.yb)) - l3 end,
}
s:constraint {
    name = "coupler_again", unit = "m",
    phi = function(q, t, p) return (square(q.xb - q.xa, q.yb - q.ya) - l2 ^ 2) / (2 * l2) end,
}

s:energy(function(q, v, t, p)
    local kinetic = (Ma * square(v.xa, v.ya) + Mb * square(v.xb, v.yb)) / 2
        + g2 * (v.xa * v.xb + v.ya * v.yb)
    return kinetic + p.g * (wa * q.ya + wb * q.yb)
end)

-- The crank stands at 60 degrees.
s:start { xa = 1, ya = math.sqrt(3), xb = 4.6470428272390353, yb = 3.3749380880249359 }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return s
