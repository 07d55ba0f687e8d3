-- SPDX-License-Identifier: MIT
-- An arm whose hand is glued to a mass on a spring: a model and a program.

local g = assembly { name = "glued", dim = 2 }
local arm = g:module { name = "arm", model = "arm.lua", outputs = { "lower.x" } }
local mass = g:module { name = "mass", program = "mass_spring.so", set = { m = 1, k = 30, q = 2 } }

local gluing = parameter("gluing", "gauss")
if gluing == "gauss" then  -- the others diverge through joints
    g:joint { "revolute", name = "grip", arm.hand, mass.mass }
end
g:force { "spring", name = "cord", arm.hand, mass.mass, frame1 = { at = { 0, 1 } }, stiffness = 10, length = 0.5 }
g:simulate { gluing = gluing, duration = 0.03, step = 1e-2, sample = 1e-2,
    window = gluing == "waveform" and 2 or nil }
return g
