-- SPDX-License-Identifier: MIT
-- A plate on a swinging arm by two pins, and a weight that hangs from it by a link without mass: 10
-- rows of rank 9, of which those of the link are never dropped by the sparse kernel.
local m = model { name = "two pins and a link", gravity = { 0, -9.81 } }
local arm = m:body { name = "arm", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
local plate = m:body { name = "plate", mass = 1, inertia = 0.1, at = { 1.2, 0.3 } }
local link = m:body { name = "link", mass = 0, inertia = 0, at = { 1.5, 0.1 } }
local weight = m:body { name = "weight", mass = 0.5, inertia = 0.01, at = { 1.8, -0.1 } }
m:joint { "revolute", name = "pivot", m.ground, arm, point = { 0, 0 } }
m:joint { "revolute", name = "pin1", arm, plate, point = { 0.8, 0.1 } }
m:joint { "revolute", name = "pin2", arm, plate, point = { 1.0, 0.2 } }
m:joint { "revolute", name = "upper", plate, link, point = { 1.3, 0.3 } }
m:joint { "revolute", name = "lower", link, weight, point = { 1.7, -0.1 } }
m:simulate { duration = 2 }
return m
