-- SPDX-License-Identifier: MIT
-- A swinging mass whose further states have rates that jump, bend, and run far ahead of the rows.
local s = system {
    name = "jumps",
    coordinates = { "x", "y" },
    units = { x = "m", y = "m" },
    parameters = { tau = 1e-3 },
}

s:mass(function(q, t, p) return { 1, 1 } end)
s:force(function(q, v, t, p) return { -40 * q.x, -where(less(0, q.y), 90, 9) * q.y } end)
s:state { "side", start = 0, rate = function(q, v, t, p, z) return where(less(0.1, q.x), 1, -1) end }
s:state { "dose", start = 2, rate = function(q, v, t, p, z) return where(less(t, 0.3), 0, 5) end }
s:state { "way", start = 0, rate = function(q, v, t, p, z) return sqrt(v.x ^ 2 + 1e-6) end }
s:state { "filter", start = 0, rate = function(q, v, t, p, z) return (q.x - z.filter) / p.tau end }
s:state { "growth", start = 1e-3, rate = function(q, v, t, p, z) return 3 * z.growth end }
s:start { x = 0.3, y = 0.2, v = { x = 1, y = 0.5 } }

s:simulate { duration = 2 }
return s
