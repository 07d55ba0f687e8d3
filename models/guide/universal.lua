-- Two shafts at an angle, joined by a universal joint: at constant speed of the first, the second
-- goes faster and slower twice a turn.
local bend = math.rad(parameter("bend", 30)) -- between the shafts [degrees]
local speed = parameter("speed", 10.0) -- of the first shaft [rad/s]

local m = model { name = "universal joint", dim = 3 }

-- x of each body frame is along its shaft. The shafts meet at the origin. At the start the second
-- is the faster by 1 / cos(bend); speeds that do not fit would be corrected.
local input = m:body {
    name = "input", mass = 2, inertia = { 0.01, 0.02, 0.02 }, at = { -0.3, 0, 0 },
    angular_velocity = { speed, 0, 0 },
}
local output = m:body {
    name = "output", mass = 2, inertia = { 0.01, 0.02, 0.02 }, rotation = { 0, 0, bend },
    at = { 0.3 * cos(bend), 0.3 * sin(bend), 0 },
    angular_velocity = { speed, speed * tan(bend), 0 },
}

m:joint { "revolute", name = "bearing", m.ground, input, axis = { 1, 0, 0 } }
m:joint {
    "driven_angle", name = "motor", m.ground, input, axis = { 1, 0, 0 },
    angle = function(t) return speed * t end,
}

-- The cross: one of its axes is fixed in each shaft. Its reaction is given in axes of the second.
m:frame { output, name = "yoke", at = { -0.3, 0, 0 } }
m:joint {
    "universal", name = "cross", input, output, point = { 0, 0, 0 },
    world_axis1 = { 0, 1, 0 }, world_axis2 = { 0, 0, 1 }, reaction_frame = "yoke",
}

-- The far bearing only guides a point along the shaft's line: a second revolute would hold what the
-- cross holds already. Frames stand for point1 and point2, and z of the first for axis1.
m:frame {
    m.ground, name = "seat", at = { 0.6 * cos(bend), 0.6 * sin(bend), 0 },
    rotation = { -sin(bend) * math.pi / 2, cos(bend) * math.pi / 2, 0 },
}
m:frame { output, name = "end", at = { 0.3, 0, 0 } }
m:joint { "point_on_line", name = "far bearing", m.ground, output, frame1 = "seat", frame2 = "end" }

m:simulate { duration = 2 }
return m
