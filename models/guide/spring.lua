-- Force laws: a mass on a stiffening spring, with play before it meets a stop.
local m = model { name = "spring" }

local mass = m:body { name = "mass", mass = 1.0, inertia = 0.01, at = { 1.1, 0 }, velocity = { 2, 0 } }
m:joint { "prismatic", name = "rail", m.ground, mass, axis = { 1, 0 } }

-- Force over extension: 100 x + 2000 x^3.
m:force {
    "spring", name = "spring", m.ground, mass, point1 = { 0, 0 }, point2 = { 0, 0 },
    length = 1.0, stiffness = polynomial { 0, 100, 0, 2000 }, damping = 0.5,
}

-- Nothing up to an extension of 0.2 m, then 5000 N/m.
m:force {
    "spring", name = "stop", m.ground, mass, point1 = { 0, 0 }, point2 = { 0, 0 },
    length = 1.0, stiffness = piecewise { { -math.huge, { 0 } }, { 0.2, { -1000, 5000 } } },
}

m:simulate { duration = 5 }
return m
