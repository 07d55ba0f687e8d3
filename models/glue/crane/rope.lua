-- SPDX-License-Identifier: MIT
-- The hoist rope of the crane as a module: N rods of 2 m, hinged. It hangs from (x, y).

local N = parameter("N", 6)
local x, y = parameter("x", 28), parameter("y", 29.5) -- its upper end at the start [m]
local L, mass = 2, 8 -- of each rod [m, kg]

local m = model { name = "rope", gravity = { 0, -9.81 } }

local rod = {}
for i = 1, N do
    rod[i] = m:body {
        name = "rod" .. i, mass = mass, inertia = mass * L ^ 2 / 12, at = { x, y - (i - 1) * L },
        com = { 0, -L / 2 },
    }
    if i > 1 then
        m:joint { "revolute", name = "hinge" .. i - 1, rod[i - 1], rod[i], point = { x, y - (i - 1) * L } }
    end
end

m:port { rod[1], name = "top" }
m:port { rod[N], name = "hook", at = { 0, -L } }

m:simulate { duration = 1 }
return m
