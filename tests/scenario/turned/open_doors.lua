-- SPDX-License-Identifier: MIT
-- A door on two hinges, and on it another one, placed about 0.02 m and 0.02 rad from where it closes.
local m = model { name = "open doors", dim = 3, gravity = { 0, 1, -9.81 } }
local first = m:body { name = "first", mass = 1, inertia = { 0.2, 0.3, 0.4 }, at = { 0.5, 0, 0 } }
local second = m:body {
    name = "second", mass = 1, inertia = { 0.2, 0.3, 0.4 }, at = { 1.02, 0.49, -0.015 }, rotation = { 0.02, -0.015, 0.01 },
}
local upright, inclined = { 0, 0, 1 }, { 0.6, 0, 0.8 }
for i = 0, 1 do
    m:joint {
        "revolute", name = "left" .. i, m.ground, first, point1 = { 0, 0, 0.3 * i }, point2 = { -0.5, 0, 0.3 * i },
        axis1 = upright, axis2 = upright,
    }
    m:joint {
        "revolute", name = "right" .. i, first, second, point1 = { 0.5 + 0.18 * i, 0, 0.24 * i },
        point2 = { 0.18 * i, -0.5, 0.24 * i }, axis1 = inclined, axis2 = inclined,
    }
end
m:simulate { duration = 1 }
return m
