-- SPDX-License-Identifier: MIT
-- Flap beta and pitch theta of a helicopter blade, whose pitch is held by a rigid link from point A
-- of the blade to point B of the swashplate.
--
--     I_b (beta'' + Omega^2 nu2 beta) - I_x (theta'' + Omega^2 theta) = M_beta              (30a)
--     I_f (theta'' + Omega^2 theta) - I_x (beta'' + Omega^2 beta)
--                                                   = K_c (theta_c - theta - K_p beta)     (30b)
--     |x_A - x_B| - L = 0                                                                   (29)
--     M_beta = -(gamma / 16) Omega I_b beta' + M_beta1 cos(Omega t + pi / 2)
--
-- nu2 is nu_beta^2: Table 3 prints its value, 1.0625, as that of nu_beta, against its own footnote.
-- lambda is the tension of the link [N]. The stiffness K_c of the control system stands for the
-- link, so it is there only without the constraint.
--
--     --set penalty=true     K_c in place of the constraint: the blade vibrates 10.5 times per turn
--                            in pitch, and K_c (theta + K_p beta - theta_c) / y_theta is the force
--                            of the link
--     --set swash=0.01       the swashplate moves, z_B = -0.15 + swash sin(Omega t) [m]
--     --set nu2=1.12890625   nu_beta as printed
--
-- Reference: Masarati, Adding kinematic constraints to purely differential dynamics, 4.3, after
-- Johnson, Helicopter Theory.
-- Compared: beta, theta, their rates and the force of the link, in all four variants.

local penalty = parameter("penalty", false)
local swash = parameter("swash", 0.0)  -- [m]

local Omega = 40                                  -- turning rate of the rotor [rad/s]
local I_b, I_f, I_x = 416.67, 9.375e-2, 1.875e-2  -- inertia of flap, twist, and of both [kg m^2]
local gamma = 8                                   -- Lock number
local x_beta, x_theta, y_theta = 0.2, 0.05, 0.2   -- flap hinge; A from there [m]
local x_B, y_B, z_B, L = 0.25, 0.2, -0.15, 0.15   -- B; length of the link [m]
local K_p = x_theta / y_theta                     -- coupling of pitch and flap
local K_c = penalty and 1.6538e4 or 0             -- stiffness of the control system [N m/rad]

local s = system {
    name = "helicopter pitch link",
    coordinates = { "beta", "theta" },
    units = { beta = "rad", theta = "rad" },
    parameters = { nu2 = 1.0625, M_beta1 = 1e4 },  -- [1], [N m]
}

-- How far the swashplate has risen [m].
local function rise(t)
    return swash * sin(Omega * t)
end

s:mass(function(q, t, p)
    return { { I_b, -I_x }, { -I_x, I_f } }
end)

s:force(function(q, v, t, p)
    local M_beta = -gamma / 16 * Omega * I_b * v.beta + p.M_beta1 * cos(Omega * t + math.pi / 2)
    local theta_c = rise(t) / y_theta
    local M_c = K_c * (theta_c - q.theta - K_p * q.beta)
    return {
        beta = M_beta - Omega ^ 2 * (I_b * p.nu2 * q.beta - I_x * q.theta),
        theta = M_c - Omega ^ 2 * (I_f * q.theta - I_x * q.beta),
    }
end)

-- x_A = x_beta + R_beta R_theta x_theta, (28), written out.
local function x_A(beta, theta)
    local z = y_theta * sin(theta)  -- of A before the flap, above the hinge
    return x_beta + cos(beta) * x_theta - sin(beta) * z,
        y_theta * cos(theta),
        sin(beta) * x_theta + cos(beta) * z
end

if not penalty then
    s:constraint {
        name = "link", unit = "m",
        phi = function(q, t, p)
            local x, y, z = x_A(q.beta, q.theta)
            return sqrt((x - x_B) ^ 2 + (y - y_B) ^ 2 + (z - z_B - rise(t)) ^ 2) - L
        end,
    }
end

-- The link stands upright, so A follows the swashplate: y_theta theta' = z_B'.
s:start { v = { theta = swash * Omega / y_theta } }

s:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 2 }
return s
