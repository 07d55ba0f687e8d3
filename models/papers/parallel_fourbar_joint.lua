-- SPDX-License-Identifier: MIT
-- The parallel four-bar of parallel_fourbar_cartesian.lua in joint coordinates: a chain of three
-- bars whose end is held at (2, 0). q1 is the angle of the first bar, q2 and q3 are relative.
--
-- In absolute angles p_i = q_1 + ... + q_i and their rates w_i a chain has
--
--     M_ij = h_ij cos(p_i - p_j)     Q_i = -sum_j h_ij sin(p_i - p_j) w_j^2
--
-- and in q the sums over i >= k, because p_i depends on q_k for all of them.
--
--     q1(t) = pi / 2 + 2 pi t - brake t^3 / 162
--
--     --set brake=2     the torque of Tseng and Hulbert, -2 t
--
-- Tseng and Hulbert, Multibody Syst. Dyn. 6 (2001), section 3.

local s = system {
    name = "parallel four-bar of Tseng and Hulbert, joint coordinates",
    coordinates = { "q1", "q2", "q3" },
    units = { q1 = "rad", q2 = "rad", q3 = "rad" },
    parameters = { brake = 0 },  -- [N m/s]
}

local length = { 1, 2, 1 }                                     -- [m]
local h = { { 33.5, 40, 5 }, { 40, 62, 10 }, { 5, 10, 3.5 } }  -- [kg m^2]

local function sums(q)
    return { q.q1, q.q1 + q.q2, q.q1 + q.q2 + q.q3 }
end

local function mass(q)
    local p, M = sums(q), {}
    for k = 1, 3 do
        M[k] = { 0, 0, 0 }
        for l = 1, 3 do
            for i = k, 3 do
                for j = l, 3 do
                    M[k][l] = M[k][l] + h[i][j] * cos(p[i] - p[j])
                end
            end
        end
    end
    return M
end

s:mass(function(q, t, p) return mass(q) end)

s:force(function(q, v, t, p)
    local angle, w, Q = sums(q), sums(v), { -p.brake * t, 0, 0 }
    for i = 1, 3 do
        for j = 1, 3 do
            for k = 1, i do
                Q[k] = Q[k] - h[i][j] * sin(angle[i] - angle[j]) * w[j] ^ 2
            end
        end
    end
    return Q
end)

s:energy(function(q, v, t, p)
    local M, T = mass(q), 0
    for k = 1, 3 do
        for l = 1, 3 do
            T = T + M[k][l] * v[k] * v[l] / 2
        end
    end
    return T
end)

s:constraint {
    name = "end", unit = "m",
    phi = function(q, t, p)
        local angle, x, y = sums(q), -2, 0
        for i = 1, 3 do
            x = x + length[i] * cos(angle[i])
            y = y + length[i] * sin(angle[i])
        end
        return { x, y }
    end,
}

local turn = 2 * math.pi  -- [rad/s]
s:start {
    q1 = math.pi / 2, q2 = 3 * math.pi / 2, q3 = -math.pi / 2,
    v = { q1 = turn, q2 = -turn, q3 = turn },
}

s:simulate { integrator = "rk4", step = 0.01, duration = 3 }
return s
