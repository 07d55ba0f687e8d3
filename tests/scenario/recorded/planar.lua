-- SPDX-License-Identifier: MIT
-- Two planar bodies with one joint or one force between them: the kind that is built in, or its
-- twin as a user writes it. The springs and weights around them make everything move.
--
--     part   "joint" or "force"        kind  its name, as in the lists of src/engine/joint and src/engine/force
--     by     "kind", "functions" or "potential"
--     seed   of the random start

local part, kind, by = parameter("part", "joint"), parameter("kind"), parameter("by", "kind")
math.randomseed(parameter("seed", 1))

local function random()
    return 2 * math.random() - 1
end

local m = model { name = kind, gravity = { 0.7, -9.81 } }

-- What a body is at the start; `inside` takes a point of the world into its frame.
local function make(name, mass, inertia, com)
    local start = { at = vec(random(), random()), angle = 0.8 * random(), mass = mass, com = com }
    local c, s = math.cos(start.angle), math.sin(start.angle)
    start.body = m:body { name = name, mass = mass, inertia = inertia, com = com, angle = start.angle,
                          at = { start.at.x, start.at.y }, velocity = { random(), random() },
                          angular_velocity = 2 * random() }
    start.middle = start.at + vec(c * com[1] - s * com[2], s * com[1] + c * com[2])
    function start.inside(p)
        local d = vec(p) - start.at
        return { c * d.x + s * d.y, c * d.y - s * d.x }
    end
    return start
end

local A = make("a", 1.5, 0.4, { 0.15, -0.2 })
local B = make("b", 0.8, 0.3, { -0.1, 0.25 })
local a, b = A.body, B.body
m:force { "spring", name = "rope", m.ground, a, point1 = { 0.3, 2 }, point2 = { -0.2, 0.1 },
          stiffness = 40, damping = 0.5, length = 1 }
m:force { "spring", name = "cord", a, b, point1 = { 0.2, 0.3 }, point2 = { 0.4, -0.3 },
          stiffness = 30, damping = 0.3, length = 0.6 }

local P, Q = { random(), random() }, { 1.5 + random(), random() } -- in the world, at the start
local PA, PB, QB = A.inside(P), B.inside(P), B.inside(Q)
local tilt = 2 * random() -- of a direction against x of the world, at the start

-- A direction that has this angle at the start and turns with a traced body.
local function direction(X, x, angle)
    local now = x.angle + (angle - X.angle)
    return vec(cos(now), sin(now))
end

local function across(u)
    return vec(-u.y, u.x)
end

local function gap(x, y) -- from PA on the first body to PB on the second
    return y:point(PB) - x:point(PA)
end

-- Calls of m:joint, m:constraint and m:nonholonomic get the two bodies and a name.
local function joint(entry)
    entry[1], entry[2], entry[3], entry.name = kind, a, b, "J"
    m:joint(entry)
end

local function rows(phi)
    m:constraint { name = "J", a, b, phi = phi }
end

-- --- joints ---

local length = norm(vec(Q) - vec(P))
local axis = { math.cos(tilt), math.sin(tilt) }
local apart = dot(axis, vec(Q) - A.at) -- of Q from the origin of a, along the axis

local function swing(start) -- a drive that begins at this value
    return function(t) return start + 0.3 * sin(2 * t) + 0.1 * t ^ 2 end
end

local turned, reach, lever = swing(B.angle - A.angle), swing(apart), swing(length)

local joints = {
    distance = {
        kind = function() joint { world1 = P, world2 = Q } end,
        functions = function()
            rows(function(x, y) return norm(y:point(QB) - x:point(PA)) - length end)
        end,
    },
    driven_angle = {
        kind = function() joint { angle = turned } end,
        functions = function() rows(function(x, y, t) return y.angle - x.angle - turned(t) end) end,
    },
    driven_coordinate = {
        kind = function() joint { point = Q, axis = axis, value = reach } end,
        functions = function()
            rows(function(x, y, t)
                return dot(direction(A, x, tilt), y:point(QB) - vec(x.x, x.y)) - reach(t)
            end)
        end,
    },
    driven_distance = {
        kind = function() joint { world1 = P, world2 = Q, length = lever } end,
        functions = function()
            rows(function(x, y, t) return norm(y:point(QB) - x:point(PA)) - lever(t) end)
        end,
    },
    fixed = {
        kind = function() joint { point = P } end,
        functions = function()
            rows(function(x, y)
                local d = gap(x, y)
                return { d.x, d.y, y.angle - x.angle - (B.angle - A.angle) }
            end)
        end,
    },
    gear = {
        kind = function() joint { ratio = -1.7 } end,
        functions = function()
            rows(function(x, y) return y.angle - B.angle + 1.7 * (x.angle - A.angle) end)
        end,
    },
    knife_edge = {
        kind = function() joint { point = P, axis = axis } end,
        functions = function()
            m:nonholonomic { name = "J", a, b, psi = function(x, y)
                local slip = y:velocity(PB) - vec(x.vx, x.vy) - x.omega * across(y:point(PB) - x.r)
                return dot(across(direction(B, y, tilt)), slip)
            end }
        end,
    },
    point_on_line = {
        kind = function() joint { point = P, axis = axis } end,
        functions = function()
            rows(function(x, y) return cross(direction(A, x, tilt), gap(x, y)) end)
        end,
    },
    prismatic = {
        kind = function() joint { point = P, axis = axis } end,
        functions = function()
            rows(function(x, y)
                return { cross(direction(A, x, tilt), gap(x, y)),
                         y.angle - x.angle - (B.angle - A.angle) }
            end)
        end,
    },
    rack_and_pinion = {
        kind = function() joint { world_axis1 = axis, radius = 0.3 } end,
        functions = function()
            local start = dot(axis, A.middle)
            rows(function(x, y)
                return dot(axis, x:point(A.com)) - start - 0.3 * (y.angle - B.angle)
            end)
        end,
    },
    revolute = {
        kind = function() joint { point = P } end,
        functions = function() rows(gap) end,
    },
}

-- --- forces ---

-- What has a potential is compared without its damper where the twin is a potential.
local damped = parameter("damped", true)

local function damping(value)
    return damped and value or nil
end

local function force(entry)
    entry[1], entry.name = kind, "F"
    m:force(entry)
end

-- A force F(x, y, t) at a point of the second body, as force and moment at its frame's origin.
local function push(F, at)
    return { force = F, moment = function(x, y, t) return cross(y:point(at) - y.r, F(x, y, t)) end }
end

local function between(entry)
    entry[1], entry[2], entry.name = a, b, "F"
    m:force(entry)
end

local g = vec(-2, 3)
local free = 0.7 * length

local function pull(x, y)
    local d = y:point(QB) - x:point(PA)
    local l = norm(d)
    local u = d / l
    local rate = dot(u, y:velocity(QB) - x:velocity(PA))
    local f = 25 * (l - free) + 60 * (l - free) ^ 3 + (damped and 0.9 * rate or 0)
    return -f * u
end

local function twist(x, y)
    local d = y.angle - x.angle - 0.4
    return -(6 * d + 9 * d ^ 3 + (damped and 0.7 * (y.omega - x.omega) or 0))
end

local function thrust(t) return 3 * sin(4 * t) + 1 end

local forces = {
    gravity = {
        kind = function() force { nil, b, acceleration = { g.x, g.y } } end,
        functions = function()
            local F = B.mass * g
            m:force { name = "F", b, force = function(y) return F end,
                      moment = function(y) return cross(y:point(B.com) - y.r, F) end }
        end,
        potential = function()
            m:force { name = "F", b, potential = function(y) return -B.mass * dot(g, y:point(B.com)) end }
        end,
    },
    point_force = {
        kind = function() force { nil, b, point = P, fx = thrust, fy = 2, frame = "body" } end,
        functions = function()
            local function F(y, t)
                local c, s, f = cos(y.angle), sin(y.angle), thrust(t)
                return vec(c * f - 2 * s, s * f + 2 * c)
            end
            m:force { name = "F", b, force = F,
                      moment = function(y, t) return cross(y:point(PB) - y.r, F(y, t)) end }
        end,
    },
    spring = {
        kind = function()
            force { nil, a, b, world1 = P, world2 = Q, length = free, damping = damping(0.9),
                    stiffness = polynomial { 0, 25, 0, 60 } }
        end,
        functions = function() between(push(pull, QB)) end,
        potential = function()
            between { potential = function(x, y)
                local e = norm(y:point(QB) - x:point(PA)) - free
                return 12.5 * e ^ 2 + 15 * e ^ 4
            end }
        end,
    },
    torque = {
        kind = function() force { nil, a, b, moment = thrust } end,
        functions = function() between { moment = function(x, y, t) return thrust(t) end } end,
    },
    torsion_spring = {
        kind = function()
            force { nil, a, b, stiffness = polynomial { 0, 6, 0, 9 }, damping = damping(0.7), angle = 0.4 }
        end,
        functions = function() between { moment = twist } end,
        potential = function()
            between { potential = function(x, y)
                local d = y.angle - x.angle - 0.4
                return 3 * d ^ 2 + 2.25 * d ^ 4
            end }
        end,
    },
}

local twins = (part == "joint" and joints or forces)[kind]
assert(twins, kind .. " has no twin in this file")
twins[by]()
m:simulate { duration = 1 }
return m
