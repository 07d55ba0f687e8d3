-- Functions of time: a motor that runs up smoothly, and a force that is switched on.
local speed = parameter("speed", 10.0) -- reached at the end [rad/s]
local ramp = parameter("ramp", 2.0) -- how long the motor takes to reach it [s]

local m = model { name = "driven" }

local arm = m:body { name = "arm", mass = 1.0, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "bearing", m.ground, arm, point = { 0, 0 } }

-- The speed grows as sin^2 and then stays, so that angle, speed and acceleration are continuous.
m:joint {
    "driven_angle", name = "motor", m.ground, arm,
    angle = function(t)
        local w = math.pi / ramp
        local rising = speed * (t - sin(w * t) / w) / 2
        local steady = speed * (t - ramp / 2)
        return where(less(t, ramp), rising, steady)
    end,
}

-- A drag that appears after three seconds, against the motion of the arm's middle. It turns with
-- the arm, because its frame is the body's.
m:force {
    "point_force", name = "drag", arm, point2 = { 0, 0 }, frame = "body",
    fy = function(t) return where(greater(t, 3), -5.0, 0.0) end,
}

m:simulate { duration = 5 }
return m
