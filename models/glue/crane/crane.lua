-- SPDX-License-Identifier: MIT
-- A tower crane of five modules, built separately and joined exactly: three model files, a program
-- and an FMU. The trolley travels 6 m along the jib in 4 s, and the load swings.
--
--     python3 examples/modules/build.py models/glue/crane
--     trammel glue models/glue/crane/crane.lua

local travel, time = parameter("travel", 6), parameter("time", 4) -- of the trolley [m, s]

local mass = { trolley = 400, rope = 6 * 8, load = 4000 } -- [kg]
local start = 8 -- of the trolley, from the splice of the jib [m]
local g = 9.81 -- [m/s^2]

-- Moments of weights at the start, for which the elastic parts are made [N m].
local hanging = mass.trolley + mass.rope + mass.load
local at_splice = g * (1200 * 10 + hanging * start)
local at_foot = g * (1600 * 10 + 1200 * 30 + hanging * (20 + start))

local a = coupled { name = "crane", dim = 2 }

local tower = a:module {
    name = "tower", model = "tower.lua", set = { moment = at_foot }, outputs = { "foot.Fy" },
}
local jib = a:module { name = "jib", model = "jib.lua", set = { moment = at_splice }, outputs = {} }
local rope = a:module { name = "rope", model = "rope.lua", outputs = { "rod3.angle" } }
local trolley = a:module {
    name = "trolley", program = parameter("program", "trolley.so"), outputs = { "x" },
    set = { mass = mass.trolley, inertia = 60, x = 20 + start, y = 30, gy = -g, by = -0.5 },
}
local load = a:module {
    name = "load", fmu = parameter("fmu", "load.fmu"), kind = parameter("kind", "me"),
    strict = parameter("strict", 0) == 1, outputs = { "center.x", "center.y" },
    set = { mass = mass.load, ["center.x"] = 20 + start, ["center.y"] = 16 },
}

a:joint { "revolute", name = "pin", tower.head, jib.foot }
a:joint { "distance", name = "tie bar", tower.apex, jib.tie, length = sqrt(18 ^ 2 + 6 ^ 2) }
a:joint { "prismatic", name = "rail", jib.rail, trolley.a }
a:joint {
    "driven_coordinate", name = "winch", jib.rail, trolley.a,
    value = function(t)
        local s = t / time
        return where(less(s, 1), start + travel * (s - sin(2 * math.pi * s) / (2 * math.pi)), start + travel)
    end,
}
a:joint { "revolute", name = "rope head", trolley.b, rope.top }
a:joint { "revolute", name = "hook", rope.hook, load.eye }

a:simulate { step = 2.5e-3, duration = 6, output_step = 0.05, timeout = 5 }
return a
