-- SPDX-License-Identifier: MIT
-- The beam of the swing as a chain: N rigid segments with torsion springs between them, pinned to the
-- ground at one end and to a slider along the chain at the other, with a mass in the middle. No
-- gravity. A spring of EI / h at each inner joint, h the length of a segment, bends as the beam does
-- between the middles of two segments; pinned ends have none.
-- Reference: Bauchau and Theron, Comput. Methods Appl. Mech. Eng. 134 (1996): the beam bends with
-- 0.443, 18.17 and 28.46 Hz. N must be even. Try it with `trammel modes`.

local N = parameter("N", 40)

local m = model { name = "spring chain" }

local length, thickness, width = 0.72, 1e-3, 5e-3  -- [m]
local density, modulus = 2700, 73e9                -- [kg/m^3], [Pa]
local h = length / N
local mass = density * thickness * width * h
local stiffness = modulus * width * thickness ^ 3 / 12 / h

local previous = m.ground
for i = 1, N do
    local segment = m:body {
        name = "segment" .. i, mass = mass, inertia = mass * h ^ 2 / 12,
        at = { (i - 1) * h, 0 }, com = { h / 2, 0 },
    }
    m:joint { "revolute", name = "pin" .. i, previous, segment, point = { (i - 1) * h, 0 } }
    if i > 1 then
        m:force { "torsion_spring", name = "bend" .. i, previous, segment, stiffness = stiffness }
    end
    if i == N // 2 then
        local weight = m:body { name = "weight", mass = 0.5, at = { length / 2, 0 } }
        m:joint { "fixed", name = "middle", segment, weight, point = { length / 2, 0 } }
    end
    previous = segment
end
m:joint { "point_on_line", name = "slider", m.ground, previous, point = { length, 0 }, axis = { 1, 0 } }

m:simulate { integrator = "dop853", duration = 1 }
return m
