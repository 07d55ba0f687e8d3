-- SPDX-License-Identifier: MIT
-- A four-bar with a coupler without mass and a slider without inertia on a rod of the coupler, in
-- which the mobility of rows is found from their neighbors. `scale`: units of length to the meter.

local L = parameter("scale", 1)
local m = model { name = "links without mass", gravity = { 0, -9.81 * L } }

local A, B = { 0, L }, { 2 * L, L }
local crank = m:body { name = "crank", mass = 1, inertia = 0.1 * L ^ 2, at = A, com = { 0, -0.5 * L } }
local coupler = m:body { name = "coupler", mass = 0, at = A }
local rocker = m:body { name = "rocker", mass = 2, inertia = 0.3 * L ^ 2, at = B }
local rod = m:body { name = "rod", mass = 0, at = B }
local slider = m:body { name = "slider", mass = 0.5, at = { 4 * L, 0 } }

m:joint { "revolute", name = "O", m.ground, crank, point = { 0, 0 } }
m:joint { "revolute", name = "A", crank, coupler, point = A }
m:joint { "revolute", name = "B", coupler, rocker, point = B }
m:joint { "revolute", name = "C", m.ground, rocker, point = { 2.5 * L, 0 } }
m:joint { "revolute", name = "D", rocker, rod, point = B }
m:joint { "revolute", name = "E", rod, slider, point = { 4 * L, 0 } }
m:joint { "prismatic", name = "guide", m.ground, slider, point = { 4 * L, 0 }, axis = { 1, 0 } }
return m
