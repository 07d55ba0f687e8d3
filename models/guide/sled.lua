-- A sled on a blade that cannot slip sideways, and the way it has gone as a further state.
local s = system {
    name = "sled",
    coordinates = { "x", "y", "angle" },
    units = { x = "m", y = "m", angle = "rad" },
    parameters = { m = 5, J = 0.6, d = 0.3 },  -- d: from the blade forward to the center of mass
}

s:mass(function(q, t, p) return { p.m, p.m, p.J } end)
s:nonholonomic {
    name = "blade", unit = "m",
    psi = function(q, v, t, p) return -v.x * sin(q.angle) + v.y * cos(q.angle) - p.d * v.angle end,
}
s:state {
    "path", start = 0,
    rate = function(q, v, t, p, z) return v.x * cos(q.angle) + v.y * sin(q.angle) end,
}
s:energy(function(q, v, t, p)
    return p.m * (v.x ^ 2 + v.y ^ 2) / 2 + p.J * v.angle ^ 2 / 2
end)
s:start { v = { x = 2, y = 0.3, angle = 1 } }

s:simulate { duration = 3 }
return s
