-- SPDX-License-Identifier: MIT
-- A03 of the IFToMM library, Andrews' squeezing mechanism, in the seven angles of the Test Set: the
-- mechanism of andrews.lua as M(q) q'' + G' lambda = f(q, q'), g(q) = 0. All loops meet in E, which
-- K2 shares with K3, K4 and K6: two rows for each of them.
--
-- At the start q'' = (14222.4439199541, -10666.8329399656, 0, ...), lambda = (98.5668703962411,
-- -6.12268834425566, 0, ...). T + V - mom beta is constant.
-- Reference: Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7.
-- Compared: angles and rates; not with the published end values, which hold 1e-9 only.

-- Masses [kg] and inertias about the centers of mass [kg m^2] of K1 to K7.
local m1, m2, m3, m4, m5, m6, m7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
local i1, i2, i3, i4 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7
local i5, i6, i7 = 1.169e-5, 5.667e-7, 1.912e-5

-- Ground points and lengths [m].
local xa, ya, xb, yb, xc, yc = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
local d, da, e, ea = 0.028, 0.0115, 0.02, 0.01421
local rr, ra, ss, sa, sb, sc, sd = 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
local ta, tb, u, ua, ub = 0.02308, 0.00916, 0.04, 0.01228, 0.00449
local zf, zt, fa = 0.02, 0.04, 0.01421
local e4, f6 = e - ea, zf - fa  -- from G to the center of K4, from H to that of K6

local s = system {
    name = "Andrews' squeezer in equations",
    coordinates = { "beta", "theta", "gamma", "phi", "delta", "omega", "epsilon" },
    units = {
        beta = "rad", theta = "rad", gamma = "rad", phi = "rad", delta = "rad", omega = "rad",
        epsilon = "rad",
    },
    parameters = { mom = 0.033, c0 = 4530, l0 = 0.07785 },  -- [N m], [N/m], [m]
}

s:mass(function(q, t, p)
    local M11 = m1 * ra ^ 2 + m2 * (rr ^ 2 - 2 * da * rr * cos(q.theta) + da ^ 2) + i1 + i2
    local M21 = m2 * (da ^ 2 - da * rr * cos(q.theta)) + i2
    local M22 = m2 * da ^ 2 + i2
    local M33 = m3 * (sa ^ 2 + sb ^ 2) + i3
    local M44 = m4 * e4 ^ 2 + i4
    local M54 = m4 * (e4 ^ 2 + zt * e4 * sin(q.phi)) + i4
    local M55 = m4 * (zt ^ 2 + 2 * zt * e4 * sin(q.phi) + e4 ^ 2) + m5 * (ta ^ 2 + tb ^ 2) + i4 + i5
    local M66 = m6 * f6 ^ 2 + i6
    local M76 = m6 * (f6 ^ 2 - u * f6 * sin(q.omega)) + i6
    local M77 = m6 * (f6 ^ 2 - 2 * u * f6 * sin(q.omega) + u ^ 2) + m7 * (ua ^ 2 + ub ^ 2) + i6 + i7
    return {
        { M11, M21, 0, 0, 0, 0, 0 },
        { M21, M22, 0, 0, 0, 0, 0 },
        { 0, 0, M33, 0, 0, 0, 0 },
        { 0, 0, 0, M44, M54, 0, 0 },
        { 0, 0, 0, M54, M55, 0, 0 },
        { 0, 0, 0, 0, 0, M66, M76 },
        { 0, 0, 0, 0, 0, M76, M77 },
    }
end)

-- From C, where the spring is fixed, to D on K3.
local function spring(q)
    local x = xb + sd * cos(q.gamma) + sc * sin(q.gamma) - xc
    local y = yb + sd * sin(q.gamma) - sc * cos(q.gamma) - yc
    return x, y, sqrt(x ^ 2 + y ^ 2)
end

s:force(function(q, v, t, p)
    local x, y, l = spring(q)
    local pull = -p.c0 * (l - p.l0) / l
    local fx, fy = pull * x, pull * y
    return {
        beta = p.mom - m2 * da * rr * v.theta * (v.theta + 2 * v.beta) * sin(q.theta),
        theta = m2 * da * rr * v.beta ^ 2 * sin(q.theta),
        gamma = fx * (sc * cos(q.gamma) - sd * sin(q.gamma))
            + fy * (sd * cos(q.gamma) + sc * sin(q.gamma)),
        phi = m4 * zt * e4 * v.delta ^ 2 * cos(q.phi),
        delta = -m4 * zt * e4 * v.phi * (v.phi + 2 * v.delta) * cos(q.phi),
        omega = -m6 * u * f6 * v.epsilon ^ 2 * cos(q.omega),
        epsilon = m6 * u * f6 * v.omega * (v.omega + 2 * v.epsilon) * cos(q.omega),
    }
end)

-- E by way of K1 and K2.
local function E(q)
    local k2 = q.beta + q.theta
    return rr * cos(q.beta) - d * cos(k2), rr * sin(q.beta) - d * sin(k2)
end

s:constraint {
    name = "K3", unit = "m",
    phi = function(q, t, p)
        local x, y = E(q)
        return { x - ss * sin(q.gamma) - xb, y + ss * cos(q.gamma) - yb }
    end,
}
s:constraint {
    name = "K4", unit = "m",
    phi = function(q, t, p)
        local x, y = E(q)
        local k4 = q.phi + q.delta
        return {
            x - e * sin(k4) - zt * cos(q.delta) - xa,
            y + e * cos(k4) - zt * sin(q.delta) - ya,
        }
    end,
}
s:constraint {
    name = "K6", unit = "m",
    phi = function(q, t, p)
        local x, y = E(q)
        local k6 = q.omega + q.epsilon
        return {
            x - zf * cos(k6) - u * sin(q.epsilon) - xa,
            y - zf * sin(k6) + u * cos(q.epsilon) - ya,
        }
    end,
}

-- Twice the kinetic energy is q' M q'; here it is added up pair by pair.
s:energy(function(q, v, t, p)
    local _, _, l = spring(q)
    local k2, k4, k6 = v.beta + v.theta, v.phi + v.delta, v.omega + v.epsilon
    local twice = (m1 * ra ^ 2 + m2 * rr ^ 2 + i1) * v.beta ^ 2 + (m2 * da ^ 2 + i2) * k2 ^ 2
        - 2 * m2 * da * rr * cos(q.theta) * v.beta * k2
        + (m3 * (sa ^ 2 + sb ^ 2) + i3) * v.gamma ^ 2
        + (m4 * zt ^ 2 + m5 * (ta ^ 2 + tb ^ 2) + i5) * v.delta ^ 2 + (m4 * e4 ^ 2 + i4) * k4 ^ 2
        + 2 * m4 * zt * e4 * sin(q.phi) * v.delta * k4
        + (m6 * u ^ 2 + m7 * (ua ^ 2 + ub ^ 2) + i7) * v.epsilon ^ 2 + (m6 * f6 ^ 2 + i6) * k6 ^ 2
        - 2 * m6 * u * f6 * sin(q.omega) * v.epsilon * k6
    return twice / 2 + p.c0 * (l - p.l0) ^ 2 / 2 - p.mom * q.beta
end)

s:start {
    beta = -0.0617138900142764496358948458001, theta = 0,
    gamma = 0.455279819163070380255912382449,
    phi = 0.222668390165885884674473185609, delta = 0.487364979543842550225598953530,
    omega = -0.222668390165885884674473185609, epsilon = 1.23054744454982119249735015568,
}

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.05 }
return s
