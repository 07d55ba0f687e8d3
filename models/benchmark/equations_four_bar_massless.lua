-- SPDX-License-Identifier: MIT
-- The four-bar of four_bar_massless_coupler.lua in the angles of its bars, all from +x. The coupler
-- has neither mass nor inertia: the mass matrix has a row of zeros, and only the loop tells phi2.
--
--     l1 e(phi1) + l2 e(phi2) - l3 e(phi3) - D = 0,   e(phi) = (cos phi, sin phi)
--
-- Compared: angles and rates.

local l1, l2, l3 = 2, 4, 4        -- crank, coupler, follower [m]
local m1, m3 = 1, 2.2             -- [kg]
local J1, J3 = 0.3, 1.35          -- about the middle of the bar [kg m^2]
local xd = 2.5                    -- D = (xd, 0), the pivot of the follower [m]

local s = system {
    name = "four-bar with a massless coupler in equations",
    coordinates = { "phi1", "phi2", "phi3" },
    units = { phi1 = "rad", phi2 = "rad", phi3 = "rad" },
    parameters = { g = 9.81 },  -- [m/s^2]
}

-- About the pivots [kg m^2].
local I1, I3 = J1 + m1 * (l1 / 2) ^ 2, J3 + m3 * (l3 / 2) ^ 2

s:mass(function(q, t, p) return { I1, 0, I3 } end)

s:force(function(q, v, t, p)
    return {
        phi1 = -m1 * p.g * l1 / 2 * cos(q.phi1),
        phi3 = -m3 * p.g * l3 / 2 * cos(q.phi3),
    }
end)

s:constraint {
    name = "loop", unit = "m",
    phi = function(q, t, p)
        return {
            l1 * cos(q.phi1) + l2 * cos(q.phi2) - l3 * cos(q.phi3) - xd,
            l1 * sin(q.phi1) + l2 * sin(q.phi2) - l3 * sin(q.phi3),
        }
    end,
}

s:energy(function(q, v, t, p)
    return (I1 * v.phi1 ^ 2 + I3 * v.phi3 ^ 2) / 2
        + p.g * (m1 * l1 / 2 * sin(q.phi1) + m3 * l3 / 2 * sin(q.phi3))
end)

s:start { phi1 = math.pi / 3, phi2 = 0.4232455982985229, phi3 = 1.004203159591008 }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return s
