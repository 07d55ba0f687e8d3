-- SPDX-License-Identifier: MIT
-- A puck slides over a bump that is narrow beside the steps of the integrator, which does not see it.
local s = system { name = "obstacle", coordinates = { "x", "y" }, units = { x = "m", y = "m" } }

s:mass(function(q, t, p) return { 1, 2 } end)
s:force(function(q, v, t, p) return { -30 * exp(-((q.x - 2.03) / 0.01) ^ 2), 0 } end)
s:start { x = 0, y = 0.1, v = { x = 1, y = 0 } }
s:simulate { duration = 4 }
return s
