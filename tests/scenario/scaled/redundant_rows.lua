-- SPDX-License-Identifier: MIT
-- A bead on an ellipse that two rows put into one plane, the second of them times `scale`.
local S = parameter("scale", 1)
local s = system { name = "redundant rows", coordinates = { "x", "y", "z" } }
s:mass(function() return { 1, 2, 1 } end)
s:force(function() return { z = -9.81 } end)
s:constraint { name = "plane", phi = function(q) return q.x - 2 * q.y end }
s:constraint { name = "again", phi = function(q) return S * (2 * q.x - 4 * q.y) end }
s:constraint { name = "round", phi = function(q) return (q.x ^ 2 + q.z ^ 2 - 1) / 2 end }
s:start { z = 1, v = { x = 0.5, y = 0.25 } }
s:simulate { duration = 2 }
return s
