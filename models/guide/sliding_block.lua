-- A block that slides down a rough slope: Coulomb friction as a constraint that is not ideal.
local s = system {
    name = "sliding block",
    coordinates = { "x", "y" },
    units = { x = "m", y = "m" },
    parameters = { m = 2, mu = 0.2, slope = 0.5, g = 9.81, slow = 1e-3 },
}

s:mass(function(q, t, p) return { p.m, p.m } end)
s:force(function(q, v, t, p) return { y = -p.m * p.g } end)
s:constraint {
    name = "slope", unit = "m",
    phi = function(q, t, p) return q.x * math.sin(p.slope) + q.y * math.cos(p.slope) end,
}
-- phi is the distance from the slope, so |lambda| is the normal force. v / |v| has no value at
-- rest; below the speed `slow` friction fades out instead.
s:nonideal(function(q, v, t, p, reaction)
    local friction = p.mu * abs(reaction.slope) / sqrt(v.x ^ 2 + v.y ^ 2 + p.slow ^ 2)
    return { -friction * v.x, -friction * v.y }
end)
s:energy(function(q, v, t, p) return p.m * (v.x ^ 2 + v.y ^ 2) / 2 + p.m * p.g * q.y end)

s:simulate { duration = 1 }
return s
