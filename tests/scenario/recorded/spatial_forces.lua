-- SPDX-License-Identifier: MIT
-- Two spatial bodies with one force between them: the kind that is built in, or its twin as a user
-- writes it. A force of two bodies acts at the frame origin of the second one, and its opposite at
-- the same place on the first.
--
--     kind   its name, as in the list of src/engine/force        by    "kind", "functions" or "potential"
--     seed   of the random start                          coordinates   "body" or "quaternion"
--     damped   with its damper, which has no potential

local kind, by = parameter("kind"), parameter("by", "kind")
local damped = parameter("damped", true)
math.randomseed(parameter("seed", 1))

local function anywhere()
    return vec(2 * math.random() - 1, 2 * math.random() - 1, 2 * math.random() - 1)
end

local function list(v)
    return { v.x, v.y, v.z }
end

local m = model { name = kind, dim = 3, gravity = { 0.7, -0.4, -9.81 },
                  coordinates = parameter("coordinates", "body") }

-- The matrix of a rotation by the vector r, by Rodrigues' formula.
local function turn(r)
    local angle = norm(r)
    local n, c, s = r / angle, math.cos(angle), math.sin(angle)
    local function column(e)
        return c * e + s * cross(n, e) + (1 - c) * dot(n, e) * n
    end
    return transpose(mat(column(vec(1, 0, 0)), column(vec(0, 1, 0)), column(vec(0, 0, 1))))
end

-- What a body is at the start; `inside` and `back` take points and directions into its frame.
local function make(name, at, mass, inertia, com)
    local r, start = 0.6 * anywhere(), { at = at + 0.3 * anywhere(), mass = mass, com = com }
    start.back = transpose(turn(r))
    start.body = m:body { name = name, mass = mass, inertia = inertia, com = com, rotation = list(r),
                          at = list(start.at), velocity = list(anywhere()),
                          angular_velocity = list(anywhere()) }
    function start.inside(p) return start.back * (p - start.at) end
    return start
end

local A = make("a", vec(0, 0, 0), 1.5, { 0.4, 0.5, 0.6, 0.05, -0.08, 0.03 }, { 0.15, -0.2, 0.1 })
local B = make("b", vec(1, 0.3, -0.4), 0.8, { 0.3, 0.2, 0.25, -0.04, 0.02, 0.06 }, { -0.1, 0.25, 0.05 })
local a, b = A.body, B.body
m:force { "spring", name = "rope", m.ground, a, point1 = { 0.3, 0.2, 1.8 }, point2 = { -0.2, 0.1, 0.3 },
          stiffness = 40, damping = 0.5, length = 1 }
m:force { "spring", name = "cord", a, b, point1 = { 0.2, 0.3, -0.1 }, point2 = { 0.4, -0.3, 0.2 },
          stiffness = 30, damping = 0.3, length = 0.6 }
for _, body in ipairs { a, b } do -- which keeps angles small
    m:force { "bushing", m.ground, body, stiffness = { 0, 0, 0, 30, 30, 30 } }
end

-- Points and three perpendicular directions, in the world at the start.
local P, Q = 0.4 * anywhere(), 0.4 * anywhere() + vec(1.5, 0, -0.3)
local PA, PB, QB = A.inside(P), B.inside(P), B.inside(Q)
local axes = turn(anywhere()) -- its columns
local axis = axes * vec(0, 0, 1)
local length = norm(Q - P)

-- What is left out where there must be a potential.
local function damping(value)
    return damped and value or nil
end

local drag = damped and 1 or 0

local function force(entry)
    entry[1], entry.name = kind, "F"
    m:force(entry)
end

local function law(entry)
    entry[1], entry[2], entry.name = a, b, "F"
    m:force(entry)
end

-- A force F(x, y, t) at a point fixed in the second body.
local function push(at, F)
    law { force = F, moment = function(x, y, t) return cross(y:point(at) - y.r, F(x, y, t)) end }
end

-- The velocity of a point of the second body as the first one sees it.
local function seen(x, y, at)
    return y:velocity(at) - x.v - cross(x.omega, y:point(at) - x.r)
end

local function thrust(t) return 3 * sin(4 * t) + 1 end

-- A one-sided spring with a damper: k e in contact, never pulling. At the start it is this deep in
-- contact; the default is so deep that it stays there.
local depth = parameter("depth", 1.5)
local function one_sided(e, rate)
    return where(greater(e, 0), max(0, 4 * e + drag * rate), 0)
end

-- --- the kinds ---

local ahead = dot(axis, Q - P)
local function stop(x, y) -- direction, penetration and its rate
    local n = x.R * (A.back * axis)
    return n, dot(n, y:point(QB) - x:point(PA)) - (ahead - depth), dot(n, seen(x, y, QB))
end

local up, radius = vec(0, 0, 1), 0.3
local origin = Q + vec(0.4, 0.3, depth - radius) -- of the road
local function road(t) return 0.05 * sin(6 * t) end
local function road_rate(t) return 0.3 * cos(6 * t) end
local function wheel(x, y, t)
    local n = x.R * (A.back * up)
    local e = radius + road(t) - dot(n, y:point(QB) - x:point(A.inside(origin)))
    return n, e, road_rate(t) - dot(n, seen(x, y, QB))
end

local stiffness, slow = { 30, 40, 50, 6, 7, 8 }, { 0.3, 0.4, 0.5, 0.1, 0.2, 0.3 }
local preload = { 1, -2, 3, 0.4, 0.3, -0.2 }

-- asin(s) / s as a series in y = s^2, here to angles of 1.5 rad, and (1 - x cot x) / z as one in
-- z = 4 x^2, whose terms are 2 zeta(2 n) / (2 pi)^(2 n): without the gaps of closed forms at zero.
local function arc(y)
    local sum = 0
    for n = 60, 1, -1 do
        sum = (1 / (2 * n + 1) + sum) * ((2 * n - 1) / (2 * n) * y)
    end
    return 1 + sum
end

local function log_factor(z)
    local sum = 0
    for n = 20, 1, -1 do
        local zeta = 0
        for i = 1000, 1, -1 do zeta = zeta + i ^ (-2 * n) end
        zeta = n == 1 and math.pi ^ 2 / 6 or zeta
        sum = sum * z + 2 * zeta / (2 * math.pi) ^ (2 * n)
    end
    return sum
end

-- Displacement and rotation vector of a bushing in axes of marker 1; the markers; the factor of
-- the logarithm's derivative.
local function strain(x, y)
    local A1, A2 = x.R * (A.back * axes), y.R * (B.back * axes)
    local C = transpose(A1) * A2
    local w = 0.5 * sqrt(1 + C[1][1] + C[2][2] + C[3][3])
    local u = vec(C[3][2] - C[2][3], C[1][3] - C[3][1], C[2][1] - C[1][2]) / (4 * w)
    local r = 2 * arc(dot(u, u)) * u
    return transpose(A1) * (y:point(PB) - x:point(PA)), r, A1, A2, log_factor(dot(r, r))
end

local function component(v, k, first) -- of stiffness, damping or preload times v
    return vec(k[first] * v.x, k[first + 1] * v.y, k[first + 2] * v.z)
end

local function halves(k)
    return vec(k[1], k[2], k[3]), vec(k[4], k[5], k[6])
end

local function bushing_force(x, y)
    local e, _, A1 = strain(x, y)
    local f = component(e, stiffness, 1) - halves(preload)
    return -(A1 * (f + drag * component(transpose(A1) * seen(x, y, PB), slow, 1)))
end

local function bushing_moment(x, y)
    local _, r, A1, A2, k = strain(x, y)
    local rate = transpose(A1) * (y.omega - x.omega)
    local _, p = halves(preload)
    local f = component(r, stiffness, 4) - p
    local elastic = f - 0.5 * cross(r, f) + k * cross(r, cross(r, f))
    return -(A2 * elastic) - drag * (A1 * component(rate, slow, 4))
        + cross(y:point(PB) - y.r, bushing_force(x, y))
end

local X, Y = axes * vec(1, 0, 0), axes * vec(0, 1, 0)
local function twist(x, y) -- the angle about `axis`, and its gradient with the turn of body 2
    local x1, y1 = x.R * (A.back * X), x.R * (A.back * Y)
    local x2, y2 = y.R * (B.back * X), y.R * (B.back * Y)
    local s, c = dot(y1, x2) - dot(x1, y2), dot(x1, x2) + dot(y1, y2)
    local ds, dc = cross(x2, y1) - cross(y2, x1), cross(x2, x1) + cross(y2, y1)
    return atan2(s, c), (c * ds - s * dc) / (s ^ 2 + c ^ 2)
end

local g = vec(-2, 3, 1)
local free = 0.7 * length
local ends = { world1 = list(P), world2 = list(Q) }

local twins = {
    bump_stop = {
        kind = function()
            force { nil, a, b, world1 = list(P), world2 = list(Q), axis = list(axis),
                    limit = ahead - depth, stiffness = 4, damping = damping(1) }
        end,
        functions = function()
            push(QB, function(x, y)
                local n, e, rate = stop(x, y)
                return -one_sided(e, rate) * n
            end)
        end,
        potential = function()
            law { potential = function(x, y)
                local _, e = stop(x, y)
                return 2 * max(0, e) ^ 2
            end }
        end,
    },
    bushing = {
        kind = function()
            force { nil, a, b, point = list(P), x_axis = list(X), y_axis = list(Y),
                    stiffness = stiffness, damping = damping(slow), preload = preload }
        end,
        functions = function() law { force = bushing_force, moment = bushing_moment } end,
        potential = function()
            law { potential = function(x, y)
                local e, r = strain(x, y)
                local p, c = halves(preload)
                return 0.5 * (dot(e, component(e, stiffness, 1)) + dot(r, component(r, stiffness, 4)))
                    - dot(p, e) - dot(c, r)
            end }
        end,
    },
    contact = {
        kind = function()
            force { nil, a, b, world1 = list(origin), world2 = list(Q), radius = radius,
                    stiffness = 4, damping = damping(1), road = road }
        end,
        functions = function()
            push(QB, function(x, y, t)
                local n, e, rate = wheel(x, y, t)
                return one_sided(e, rate) * n
            end)
        end,
        potential = function()
            law { potential = function(x, y, t)
                local _, e = wheel(x, y, t)
                return 2 * max(0, e) ^ 2
            end }
        end,
    },
    gravity = {
        kind = function() force { nil, b, acceleration = list(g) } end,
        functions = function()
            m:force { name = "F", b, force = function() return B.mass * g end,
                      moment = function(y) return cross(y:point(B.com) - y.r, B.mass * g) end }
        end,
        potential = function()
            m:force { name = "F", b, potential = function(y) return -B.mass * dot(g, y:point(B.com)) end }
        end,
    },
    joint_friction = {
        kind = function()
            force { nil, a, b, point = list(P), axis = list(axis), damping = 0.4, friction = 0.6,
                    rate = 0.5, slide_damping = 0.7, slide_friction = 1.5, slide_rate = 0.4 }
        end,
        functions = function()
            local function brake(x, y)
                local n = x.R * (A.back * axis)
                local s = dot(n, seen(x, y, PB))
                return -(0.7 * s + 1.5 * tanh(s / 0.4)) * n
            end
            law { force = brake, moment = function(x, y)
                local n = x.R * (A.back * axis)
                local w = dot(n, y.omega - x.omega)
                return cross(y:point(PB) - y.r, brake(x, y)) - (0.4 * w + 0.6 * tanh(w / 0.5)) * n
            end }
        end,
    },
    point_force = {
        kind = function() force { nil, b, point = list(P), fx = thrust, fz = 2, frame = "body" } end,
        functions = function()
            local function F(y, t) return y.R * vec(thrust(t), 0, 2) end
            m:force { name = "F", b, force = F,
                      moment = function(y, t) return cross(y:point(PB) - y.r, F(y, t)) end }
        end,
    },
    spring = {
        kind = function()
            ends[2], ends[3], ends.length, ends.damping = a, b, free, damping(0.9)
            ends.stiffness = polynomial { 0, 25, 0, 60 }
            force(ends)
        end,
        functions = function()
            push(QB, function(x, y)
                local d = y:point(QB) - x:point(PA)
                local l = norm(d)
                local rate = dot(d / l, y:velocity(QB) - x:velocity(PA))
                return -(25 * (l - free) + 60 * (l - free) ^ 3 + 0.9 * drag * rate) * d / l
            end)
        end,
        potential = function()
            law { potential = function(x, y)
                local e = norm(y:point(QB) - x:point(PA)) - free
                return 12.5 * e ^ 2 + 15 * e ^ 4
            end }
        end,
    },
    torque = {
        kind = function() force { nil, a, b, mx = thrust, mz = 0.5, frame = "body" } end,
        functions = function()
            law { moment = function(x, y, t) return y.R * vec(thrust(t), 0, 0.5) end }
        end,
    },
    torsion_spring = {
        kind = function()
            force { nil, a, b, axis = list(axis), stiffness = polynomial { 0, 6, 0, 9 },
                    damping = damping(0.7), angle = 0.4 }
        end,
        functions = function()
            law { moment = function(x, y)
                local angle, gradient = twist(x, y)
                local d, rate = angle - 0.4, dot(gradient, y.omega - x.omega)
                return -(6 * d + 9 * d ^ 3 + 0.7 * drag * rate) * gradient
            end }
        end,
        potential = function()
            law { potential = function(x, y)
                local d = twist(x, y) - 0.4
                return 3 * d ^ 2 + 2.25 * d ^ 4
            end }
        end,
    },
}

assert(twins[kind], kind .. " has no twin in this file")
twins[kind][by]()
m:simulate { duration = 1 }
return m
