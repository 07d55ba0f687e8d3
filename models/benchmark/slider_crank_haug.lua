-- SPDX-License-Identifier: MIT
-- Haug's slider crank as SUNDIALS has it (idaSlCrank_dns): crank angle q, slider position x, rod
-- angle p; the rod has length 1, the crank a. A spring with a damper acts between the mid-points of
-- crank and rod, a constant force F on the rod. Dimensionless. Starts at rest.
--
--     M = diag(J1, m2, J2)
--     x - cos p - a cos q = 0,   -sin p - a sin q = 0
--     l^2 = x^2 - x (c2 + a c1) + (1 + a^2) / 4 + a c21 / 2       length of the spring
--     f   = (k (l - l0) + c l') / l                               its tension per length
--
-- The state "heat" is what the damper has taken: with it, energy is constant.
-- Reference: Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems; SUNDIALS examples.
-- Compared: positions and rates.

local a = 0.5
local J1, m2, J2 = 1, 1, 2

local s = system {
    name = "Haug's slider crank",
    coordinates = { "q", "x", "p" },
    parameters = { k = 1, c = 1, l0 = 1, F = 1 },
}

-- Sines and cosines of crank (1), rod (2) and of the angle between them (21).
local function angles(q)
    local s1, c1, s2, c2 = sin(q.q), cos(q.q), sin(q.p), cos(q.p)
    return s1, c1, s2, c2, s2 * c1 - c2 * s1, c2 * c1 + s2 * s1
end

-- Length of the spring.
local function length(q)
    local _, c1, _, c2, _, c21 = angles(q)
    return sqrt(q.x ^ 2 - q.x * (c2 + a * c1) + (1 + a ^ 2) / 4 + a * c21 / 2)
end

-- Its rate.
local function stretching(q, v)
    local s1, c1, s2, c2, s21 = angles(q)
    return (2 * q.x * v.x - v.x * (c2 + a * c1) + q.x * (s2 * v.p + a * s1 * v.q)
            - a * s21 * (v.p - v.q) / 2) / (2 * length(q))
end

s:mass(function(q, t, p) return { J1, m2, J2 } end)

s:force(function(q, v, t, p)
    local s1, c1, s2, c2, s21 = angles(q)
    local l = length(q)
    local f = (p.k * (l - p.l0) + p.c * stretching(q, v)) / l
    return {
        q = -f * a * (s21 / 2 + q.x * s1) / 2,
        x = f * (c2 / 2 - q.x + a * c1 / 2) + p.F,
        p = -f * (q.x * s2 - a * s21 / 2) / 2 - p.F * s2,
    }
end)

s:constraint {
    name = "loop",
    phi = function(q, t, p)
        local s1, c1, s2, c2 = angles(q)
        return { q.x - c2 - a * c1, -s2 - a * s1 }
    end,
}

s:state { "heat", rate = function(q, v, t, p) return p.c * stretching(q, v) ^ 2 end }

s:energy(function(q, v, t, p, z)
    local kinetic = (J1 * v.q ^ 2 + m2 * v.x ^ 2 + J2 * v.p ^ 2) / 2
    local potential = p.k * (length(q) - p.l0) ^ 2 / 2 - p.F * (q.x + cos(q.p))
    return kinetic + potential + z.heat
end)

s:start { q = math.pi / 2, x = math.sqrt(1 - a ^ 2), p = -math.asin(a) }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return s
