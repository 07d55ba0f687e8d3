-- SPDX-License-Identifier: MIT
-- The parallel four-bar of models/benchmark/parallel_four_bar.lua in the angles a, b, c of its bars
-- to the x axis, the loop closed by two constraints. It turns at 2 pi rad/s without a brake, unless
-- k = 1; steps that divide 0.25 s land on the flat pose, where both constraints depend on each
-- other.
--
--     M_ij = c_ij cos(q_i - q_j)      Q_i = -sum_j c_ij sin(q_i - q_j) v_j^2

local s = system {
    name = "parallel four-bar in angles", coordinates = { "a", "b", "c" },
    units = { a = "rad", b = "rad", c = "rad" }, parameters = { k = 0 },
}

local m1, m2, m3, J1, J2, J3 = 10, 20, 10, 1, 2, 1
local c11, c12, c13 = J1 + m1 / 4 + m2 + m3, m2 + 2 * m3, m3 / 2
local c22, c23, c33 = J2 + m2 + 4 * m3, m3, J3 + m3 / 4

s:mass(function(q)
    local ab, ac, bc = cos(q.a - q.b), cos(q.a - q.c), cos(q.b - q.c)
    return {
        { c11, c12 * ab, c13 * ac }, { c12 * ab, c22, c23 * bc }, { c13 * ac, c23 * bc, c33 },
    }
end)
s:force(function(q, v, t, p)
    local ab, ac, bc = sin(q.a - q.b), sin(q.a - q.c), sin(q.b - q.c)
    return {
        a = -c12 * ab * v.b ^ 2 - c13 * ac * v.c ^ 2 - 2 * p.k * t,
        b = c12 * ab * v.a ^ 2 - c23 * bc * v.c ^ 2,
        c = c13 * ac * v.a ^ 2 + c23 * bc * v.b ^ 2,
    }
end)
s:constraint {
    name = "x", unit = "m", phi = function(q) return cos(q.a) + 2 * cos(q.b) + cos(q.c) - 2 end,
}
s:constraint {
    name = "y", unit = "m", phi = function(q) return sin(q.a) + 2 * sin(q.b) + sin(q.c) end,
}
s:start { a = math.pi / 2, c = -math.pi / 2, v = { a = 2 * math.pi, c = 2 * math.pi } }

s:simulate { duration = 3 }
return s
