-- SPDX-License-Identifier: MIT
-- A free rigid body that turns about its center of mass, in the four numbers e of its quaternion:
-- a singular mass matrix, and one row that keeps |e| = 1.
--
--     w = 2 L(e) e'  (body axes)     M = 4 L'J L     Q = -8 L(e')' J L(e) e'
--
-- Udwadia and Wanichanon, Numer. Algebra Control Optim. 3 (2013), section 4.

local J = { 1, 2, 3 }           -- [kg m^2]
local w = { 0.3, 2, -0.1 }      -- at the start [rad/s]

local s = system {
    name = "rotating body in quaternions",
    coordinates = { "e0", "e1", "e2", "e3" },
}

local function L(e)
    return {
        { -e[2], e[1], e[4], -e[3] },
        { -e[3], -e[4], e[1], e[2] },
        { -e[4], e[3], -e[2], e[1] },
    }
end

-- The parts of L(e) x.
local function turned(e, x)
    local rows, out = L(e), {}
    for k = 1, 3 do
        out[k] = rows[k][1] * x[1] + rows[k][2] * x[2] + rows[k][3] * x[3] + rows[k][4] * x[4]
    end
    return out
end

s:mass(function(q)
    local rows, M = L(q), {}
    for i = 1, 4 do
        M[i] = {}
        for j = 1, 4 do
            M[i][j] = 0
            for k = 1, 3 do
                M[i][j] = M[i][j] + 4 * J[k] * rows[k][i] * rows[k][j]
            end
        end
    end
    return M
end)

s:force(function(q, v)
    local half, rows, Q = turned(q, v), L(v), {}
    for i = 1, 4 do
        Q[i] = 0
        for k = 1, 3 do
            Q[i] = Q[i] - 8 * J[k] * rows[k][i] * half[k]
        end
    end
    return Q
end)

s:energy(function(q, v)
    local half, T = turned(q, v), 0
    for k = 1, 3 do
        T = T + 2 * J[k] * half[k] ^ 2
    end
    return T
end)

s:constraint {
    name = "norm",
    phi = function(q) return (q.e0 ^ 2 + q.e1 ^ 2 + q.e2 ^ 2 + q.e3 ^ 2 - 1) / 2 end,
}

-- e' = L'w / 2
s:start { e0 = 1, v = { e1 = w[1] / 2, e2 = w[2] / 2, e3 = w[3] / 2 } }

s:simulate { integrator = "rk4", step = 0.01, duration = 5 }
return s
