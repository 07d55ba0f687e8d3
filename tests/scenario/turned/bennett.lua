-- SPDX-License-Identifier: MIT
-- Bennett's linkage: four hinges in a loop of links that are skew in space. 20 rows of rank 17: one
-- degree of freedom, which exists only for a sin(beta) = b sin(alpha).
local m = model { name = "Bennett", dim = 3, gravity = { 0, 0, -9.81 } }

local alpha, beta = math.rad(30), math.rad(70)           -- twists of the links
local a, b = 0.5, 0.5 * math.sin(beta) / math.sin(alpha)  -- and their lengths [m]
local theta1 = math.rad(80)
local theta2 = 2 * math.atan(math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    / math.tan(theta1 / 2))
local link = {
    { theta1, a, alpha }, { theta2, b, beta }, { -theta1, a, alpha }, { -theta2, b, beta },
}

-- Denavit and Hartenberg: along each link, from hinge to hinge. x, z: axes of the frame at P.
local function cross(u, v)
    return { u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1] }
end
local function mix(c, u, s, v)
    return { c * u[1] + s * v[1], c * u[2] + s * v[2], c * u[3] + s * v[3] }
end
local P, x, z = { { 0, 0, 0 } }, { 1, 0, 0 }, { { 0, 0, 1 } }
for i, l in ipairs(link) do
    x = mix(math.cos(l[1]), x, math.sin(l[1]), cross(z[i], x))
    P[i + 1] = mix(1, P[i], l[2], x)
    z[i + 1] = mix(math.cos(l[3]), z[i], math.sin(l[3]), cross(x, z[i]))
end

local previous = m.ground
for i = 1, 3 do
    local rod = m:body {
        name = "rod" .. i, mass = 1, inertia = { 0.03, 0.04, 0.05 }, at = mix(0.5, P[i], 0.5, P[i + 1]),
    }
    m:joint { "revolute", name = "hinge" .. i, previous, rod, point = P[i], axis = z[i] }
    previous = rod
end
m:joint { "revolute", name = "hinge4", previous, m.ground, point = P[4], axis = z[4] }

m:simulate { duration = 2 }
return m
