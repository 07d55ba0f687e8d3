-- A closed loop: crank, connecting rod and slider. Points are given where they are in the world at
-- the start, so that nothing has to be converted to body axes.
local r, l = 0.1, 0.3 -- lengths of crank and rod [m]
local start = math.rad(60) -- of the crank

local m = model { name = "slider-crank", gravity = { 0, -9.81 } }

-- The pin between crank and rod, and the slider on the x axis.
local px, py = r * cos(start), r * sin(start)
local sx = px + sqrt(l ^ 2 - py ^ 2)

local crank = m:body {
    name = "crank", mass = 1.0, inertia = 1.0 * r ^ 2 / 12,
    at = { px / 2, py / 2 }, angle = start,
}
local rod = m:body {
    name = "rod", mass = 0.5, inertia = 0.5 * l ^ 2 / 12,
    at = { (px + sx) / 2, py / 2 }, angle = -asin(py / l),
}
local slider = m:body { name = "slider", mass = 2.0, inertia = 0.001, at = { sx, 0 } }

m:joint { "revolute", name = "main bearing", m.ground, crank, point = { 0, 0 } }
m:joint { "revolute", name = "crank pin", crank, rod, point = { px, py } }
m:joint { "revolute", name = "wrist pin", rod, slider, point = { sx, 0 } }
m:joint { "prismatic", name = "guide", m.ground, slider, point = { sx, 0 }, axis = { 1, 0 } }

m:simulate { duration = 5 }
return m
