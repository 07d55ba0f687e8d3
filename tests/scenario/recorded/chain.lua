-- SPDX-License-Identifier: MIT
-- A chain of N rods of 1 m and 1 kg, pinned to each other and to the ground by joints (by = "kind")
-- or by constraints as a user writes them (by = "functions"). It starts bent and at rest.

local N, by = parameter("N", 20), parameter("by", "kind")

local m = model { name = "chain", gravity = { 0, -9.81 } }

local previous, at = m.ground, vec(0, 0)
for i = 1, N do
    local angle = 0.3 * math.sin(i)
    local rod = m:body { name = "rod" .. i, mass = 1, inertia = 1 / 12, at = { at.x, at.y },
                         angle = angle, com = { 0.5, 0 } }
    local last = i == 1 and { 0, 0 } or { 1, 0 } -- where the pin is in the body before
    if by == "kind" then
        m:joint { "revolute", name = "pin" .. i, previous, rod, point1 = last, point2 = { 0, 0 } }
    else
        m:constraint { name = "pin" .. i, previous, rod, phi = function(x, y)
            return y.r - x:point(last)
        end }
    end
    previous, at = rod, at + vec(math.cos(angle), math.sin(angle))
end

m:simulate { duration = 1 }
return m
