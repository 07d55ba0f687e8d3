-- SPDX-License-Identifier: MIT
-- The slider crank of the Test Set for IVP Solvers with a flexible rod. The crank turns at the rate
-- Omega; the rod bends in two sine modes, q1 and q2, and stretches quadratically, by q3 in its
-- middle and q4 at its end [m]. No gravity, no damping; the axial mode is fast, about 2e4 rad/s.
--
--     l1 sin(phi1) + (l2 + q4) sin(phi2) = 0
--     x3 - l1 cos(phi1) - (l2 + q4) cos(phi2) = 0
--     phi1 - Omega t = 0
--
-- Letters are those of the Test Set: MQ, KQ mass and stiffness of the rod, BQ its coupling with the
-- rotation, c1, c2, c12, c21 its moments, and Q here (q1, q2, q3, q4).
-- The start is the published one of the smooth motion. Rounded to nine digits, it misses the
-- constraints by 2e-10 m and 1e-8 m/s and is projected; that leaves an axial vibration of 4e-11 m,
-- 1e-6 m/s, which the reference has in another phase.
-- Reference: Simeon, Modelling a flexible slider crank mechanism by a mixed system of DAEs and
-- PDEs; Test Set for Initial Value Problem Solvers, "Slider Crank".
-- Compared: positions to 1e-8, rates to 1e-5.

local Omega = 150                      -- [rad/s]
local m2, m3 = 0.151104, 0.075552      -- rod, slider [kg]
local l1, l2 = 0.15, 0.30              -- crank, rod [m]
local J1, J2 = 0.002727, 0.0045339259  -- about the pivot, about the crank pin [kg m^2]
local b, h = 0.008, 0.008              -- section of the rod [m]
local E, rho = 2e11, 7870              -- [N/m^2], [kg/m^3]
local pi = 3.1415927                   -- as the source has it

local FM = rho * b * h * l2  -- mass of the rod [kg]
local FK = E * b * h / l2    -- axial stiffness [N/m]
local FB = b * h * l2        -- volume [m^3]

local MQ = {
    { FM / 2, 0, 0, 0 },
    { 0, FM / 2, 0, 0 },
    { 0, 0, 8 * FM, FM },
    { 0, 0, FM, 2 * FM },
}
local KQ = {
    { FK * pi ^ 4 / 24 * (h / l2) ^ 2, 0, 0, 0 },
    { 0, FK * pi ^ 4 * 2 / 3 * (h / l2) ^ 2, 0, 0 },
    { 0, 0, 16 / 3 * FK, -8 / 3 * FK },
    { 0, 0, -8 / 3 * FK, 7 / 3 * FK },
}
local B13, B14, B24 = -16 * FB / pi ^ 3, FB * (8 / pi ^ 3 - 1 / pi), FB / (2 * pi)
local BQ = {  -- skew
    { 0, 0, B13, B14 },
    { 0, 0, 0, B24 },
    { -B13, 0, 0, 0 },
    { -B14, -B24, 0, 0 },
}
local c1 = { 0, 0, 2 * FB / 3, FB / 6 }
local c2 = { 2 * FB / pi, 0, 0, 0 }
local c12 = { 0, 0, l2 * FB / 3, l2 * FB / 6 }
local c21 = { l2 * FB / pi, -l2 * FB / (2 * pi), 0, 0 }

local s = system {
    name = "flexible slider crank",
    coordinates = { "phi1", "phi2", "x3", "q1", "q2", "q3", "q4" },
    units = { phi1 = "rad", phi2 = "rad", x3 = "m", q1 = "m", q2 = "m", q3 = "m", q4 = "m" },
}

-- Lists of four: the deformation of coordinates or rates, a scalar product, a matrix times a list.
local function deformation(q)
    return { q.q1, q.q2, q.q3, q.q4 }
end

local function inner(a, x)
    return a[1] * x[1] + a[2] * x[2] + a[3] * x[3] + a[4] * x[4]
end

local function times(B, x)
    return { inner(B[1], x), inner(B[2], x), inner(B[3], x), inner(B[4], x) }
end

s:mass(function(q, t, p)
    local Q = deformation(q)
    local S, C = sin(q.phi1 - q.phi2), cos(q.phi1 - q.phi2)
    local BQ_Q = times(BQ, Q)
    local M12 = l1 * l2 * m2 * C / 2 + rho * l1 * (S * inner(c2, Q) + C * inner(c1, Q))
    local M22 = J2 + inner(Q, times(MQ, Q)) + 2 * rho * inner(c12, Q)
    local M = {
        { J1 + m2 * l1 ^ 2, M12, 0 },
        { M12, M22, 0 },
        { 0, 0, m3 },
    }
    for k = 1, 4 do
        local M1k = rho * l1 * (C * c2[k] - S * c1[k])
        local M2k = rho * (c21[k] - BQ_Q[k])  -- Q' BQ = -BQ Q, BQ being skew
        M[1][3 + k], M[2][3 + k], M[3][3 + k] = M1k, M2k, 0
        M[3 + k] = { M1k, M2k, 0, MQ[k][1], MQ[k][2], MQ[k][3], MQ[k][4] }
    end
    return M
end)

s:force(function(q, v, t, p)
    local Q, R = deformation(q), deformation(v)
    local w1, w2 = v.phi1, v.phi2
    local S, C = sin(q.phi1 - q.phi2), cos(q.phi1 - q.phi2)
    local c1Q, c2Q = inner(c1, Q), inner(c2, Q)
    local MQ_Q, BQ_R, KQ_Q = times(MQ, Q), times(BQ, R), times(KQ, Q)
    -- R.BQ R, which the source has in f2, is zero.
    local f1 = -l1 * l2 * m2 * w2 ^ 2 * S / 2 + rho * l1 * w2 ^ 2 * (C * c2Q - S * c1Q)
        - 2 * rho * l1 * w2 * (C * inner(c1, R) + S * inner(c2, R))
    local f2 = l1 * l2 * m2 * w1 ^ 2 * S / 2 + rho * l1 * w1 ^ 2 * (S * c1Q - C * c2Q)
        - 2 * rho * w2 * inner(c12, R) - 2 * w2 * inner(R, MQ_Q)
    local f = { f1, f2, 0 }
    for k = 1, 4 do
        f[3 + k] = w2 ^ 2 * MQ_Q[k] - KQ_Q[k]
            + rho * (w2 ^ 2 * c12[k] + l1 * w1 ^ 2 * (C * c1[k] + S * c2[k]) + 2 * w2 * BQ_R[k])
    end
    return f
end)

s:constraint {
    name = "guide", unit = "m",
    phi = function(q, t, p) return l1 * sin(q.phi1) + (l2 + q.q4) * sin(q.phi2) end,
}
s:constraint {
    name = "slider", unit = "m",
    phi = function(q, t, p) return q.x3 - l1 * cos(q.phi1) - (l2 + q.q4) * cos(q.phi2) end,
}
s:constraint { name = "motor", unit = "rad", phi = function(q, t, p) return q.phi1 - Omega * t end }

s:start {
    x3 = 0.450016933, q3 = 0.103339863e-4, q4 = 0.169327969e-4,
    v = {
        phi1 = Omega, phi2 = -74.9957670, x3 = -0.268938672e-5, q1 = 0.444896105,
        q2 = 0.463434311e-2, q3 = -0.178591076e-5, q4 = -0.268938672e-5,
    },
}

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.1 }
return s
