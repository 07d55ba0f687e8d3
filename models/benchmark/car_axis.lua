-- SPDX-License-Identifier: MIT
-- The car axis of the Test Set for IVP Solvers: a chassis of length L, masses at its ends (xl, yl)
-- and (xr, yr), on two stiff springs of rest length L0. The left wheel stays at the origin, the
-- right one runs over a bumpy road, yb = r sin(w t). The left spring stays at a right angle to the
-- axle, which is rheonomic. All is dimensionless, equations are multiplied by eps^2, gravity is 1.
--
--     K p'' = spring forces - K g - A' lambda,   K = eps^2 M / 2,   p = (xl, yl, xr, yr)
--     xl xb + yl yb = 0,   (xl - xr)^2 + (yl - yr)^2 - L^2 = 0
--
-- The Test Set has + A' lambda on that side: its multipliers are the opposites of these.
-- Reference: Mazzia and Magherini, Test Set for Initial Value Problem Solvers, "Car Axis problem".
-- Compared: positions, rates, multipliers.

local L, L0 = 1, 0.5
local eps, M = 1e-2, 10
local r, w = 0.1, 10
local K = eps ^ 2 * M / 2

local s = system { name = "car axis", coordinates = { "xl", "yl", "xr", "yr" } }

-- The right wheel, on the road, at the distance L from the left one.
local function wheel(t)
    local yb = r * sin(w * t)
    return sqrt(L ^ 2 - yb ^ 2), yb
end

-- The force of a spring on its upper end, which stands at (x, y) from its lower one.
local function spring(x, y)
    local length = sqrt(x ^ 2 + y ^ 2)
    local f = (L0 - length) / length
    return f * x, f * y
end

s:mass(function(q, t, p) return { K, K, K, K } end)

s:force(function(q, v, t, p)
    local xb, yb = wheel(t)
    local fxl, fyl = spring(q.xl, q.yl)
    local fxr, fyr = spring(q.xr - xb, q.yr - yb)
    return { fxl, fyl - K, fxr, fyr - K }
end)

s:constraint {
    name = "right_angle",
    phi = function(q, t, p)
        local xb, yb = wheel(t)
        return q.xl * xb + q.yl * yb
    end,
}
s:constraint {
    name = "chassis",
    phi = function(q, t, p) return (q.xl - q.xr) ^ 2 + (q.yl - q.yr) ^ 2 - L ^ 2 end,
}

s:start { xl = 0, yl = 0.5, xr = 1, yr = 0.5, v = { xl = -0.5, yl = 0, xr = -0.5, yr = 0 } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 3 }
return s
