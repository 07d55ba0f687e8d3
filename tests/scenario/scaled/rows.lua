-- SPDX-License-Identifier: MIT
-- Two links as equations, the first row written `scale` times.
local scale = parameter("scale", 1)
local s = system { name = "scaled rows", coordinates = { "x1", "y1", "x2", "y2" } }
s:mass(function() return { 1, 1, 1, 1 } end)
s:force(function() return { y1 = -9.81, y2 = -9.81 } end)
s:constraint { name = "first", phi = function(q) return scale * (sqrt(q.x1 ^ 2 + q.y1 ^ 2) - 1) end }
s:constraint {
    name = "second", phi = function(q) return sqrt((q.x2 - q.x1) ^ 2 + (q.y2 - q.y1) ^ 2) - 1 end,
}
s:start { x1 = 1, x2 = 2 }
s:simulate { duration = 2 }
return s
