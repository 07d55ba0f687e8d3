-- SPDX-License-Identifier: MIT
-- The tower of the crane as a module: a mast of 30 m on an elastic foundation, with its apex and a
-- counterweight. Its ports are where the jib is pinned and where the tie bar ends.

local g = 9.81 -- [m/s^2]
local k = parameter("foundation", 2e9) -- [N m/rad]
local c = parameter("foundation_damping", 2e7) -- [N m s/rad]
local moment = parameter("moment", 0) -- of all that the crane carries, about the foot [N m]
local ballast = 8000 -- [kg]

local m = model { name = "tower", gravity = { 0, -g } }

local mast = m:body { name = "mast", mass = 12000, inertia = 1.3e6, com = { 0, 16 } }
local weight = m:body { name = "counterweight", mass = ballast, inertia = 8000, at = { -10, 30 } }

m:joint { "revolute", name = "foot", m.ground, mast, point = { 0, 0 } }
m:joint { "fixed", name = "counterjib", mast, weight, point = { -10, 30 } }
-- It leans back by so much without load that it stands upright with it.
m:force {
    "torsion_spring", name = "foundation", m.ground, mast, stiffness = k, damping = c,
    angle = (moment - ballast * g * 10) / k,
}

m:port { mast, name = "head", at = { 0, 30 } }
m:port { mast, name = "apex", at = { 0, 36 } }

m:simulate { duration = 1 }
return m
