-- SPDX-License-Identifier: MIT
-- Two spatial bodies with one joint between them: the kind that is built in, or its twin as a user
-- writes it. Rotations are mostly held by products of axes, which is not what the kinds do.
--
--     kind   its name, as in the list of src/engine/joint        by    "kind" or "functions"
--     seed   of the random start                          coordinates   "body" or "quaternion"

local kind, by = parameter("kind"), parameter("by", "kind")
math.randomseed(parameter("seed", 1))

local function random()
    return 2 * math.random() - 1
end

local function anywhere()
    return vec(random(), random(), random())
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

-- What a body is at the start; `inside` and `along` take points and directions into its frame.
local function make(name, at, mass, inertia, com)
    local r, start = 0.6 * anywhere(), { at = at + 0.3 * anywhere() }
    local back = transpose(turn(r))
    start.body = m:body { name = name, mass = mass, inertia = inertia, com = com, rotation = list(r),
                          at = list(start.at), velocity = list(anywhere()),
                          angular_velocity = list(2 * anywhere()) }
    local n = math.sin(norm(r) / 2) / norm(r) * r
    start.quaternion = { math.cos(norm(r) / 2), n.x, n.y, n.z }
    start.com, start.middle = com, start.at + turn(r) * vec(com[1], com[2], com[3])
    function start.along(d) return back * d end
    function start.inside(p) return back * (p - start.at) end
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
local axes = transpose(turn(anywhere()))
local X, Y, Z = axes[1], axes[2], axes[3]

local function gap(x, y) -- from PA on the first body to PB on the second
    return y:point(PB) - x:point(PA)
end

-- Quaternions { w, x, y, z }.
local function product(p, q)
    local u, v = vec(p[2], p[3], p[4]), vec(q[2], q[3], q[4])
    local w = p[1] * v + q[1] * u + cross(u, v)
    return { p[1] * q[1] - dot(u, v), w.x, w.y, w.z }
end

local function inverse(q)
    return { q[1], -q[2], -q[3], -q[4] }
end

local welded = product(inverse(A.quaternion), B.quaternion) -- b against a at the start

-- X, Y and Z as they turn with the bodies.
local function axes1(x)
    return x.R * A.along(X), x.R * A.along(Y), x.R * A.along(Z)
end

local function axes2(y)
    return y.R * B.along(X), y.R * B.along(Y), y.R * B.along(Z)
end

-- By how much x2, y2 are turned against x1, y1 about what is nearly the normal of both.
local function twist(x1, y1, x2, y2)
    return atan2(dot(y1, x2) - dot(x1, y2), dot(x1, x2) + dot(y1, y2))
end

local function joint(entry)
    entry[1], entry[2], entry[3], entry.name = kind, a, b, "J"
    m:joint(entry)
end

local function rows(phi)
    m:constraint { name = "J", a, b, phi = phi }
end

local function bearings(axis1, axis2) -- of both bodies, in ground
    m:joint { "revolute", name = "A", m.ground, a, point = list(A.at), axis = list(axis1) }
    m:joint { "revolute", name = "B", m.ground, b, point = list(B.at), axis = list(axis2) }
end

local function guides(axis1, axis2) -- of the first body along, of the second about an axis
    m:joint { "prismatic", name = "A", m.ground, a, axis = list(axis1) }
    m:joint { "revolute", name = "B", m.ground, b, point = list(B.at), axis = list(axis2) }
end

local length = norm(Q - P)
local normal = X + 0.6 * Y + 0.4 * Z
normal = normal / norm(normal) -- of a plane

local function swing(start) -- a drive that begins at this value
    return function(t) return start + 0.3 * sin(2 * t) + 0.1 * t ^ 2 end
end

local turned, reach, lever = swing(0), swing(dot(Z, Q - A.at)), swing(length)

-- The velocity of the second body over the first at a place C.
local function slip(x, y, C)
    return vec(y.vx, y.vy, y.vz) + cross(vec(y.wx, y.wy, y.wz), C - y.r) - x.v - cross(x.omega, C - x.r)
end

-- A disk with its center in P and its axis Z on a plane with this normal: the normal, the way from
-- the contact to the center, and its length before it is made one of the disk's radius.
local radius = 0.4
local function disk(n, z)
    local h = n - dot(n, z) * z
    return h / norm(h), norm(h)
end
local foot = P - radius * disk(normal, Z)
local second = Z + 0.5 * X -- the shaft of body 2, for two shafts at an angle
second = second / norm(second)

-- v turned by the shortest way that takes Z to `second`.
local function bent(v)
    local k = cross(Z, second)
    return v + cross(k, v) + cross(k, cross(k, v)) / (1 + dot(Z, second))
end

local twins = {
    constant_velocity = {
        kind = function()
            joint { point = list(P), world_axis1 = list(Z), world_axis2 = list(second) }
        end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1 = gap(x, y), axes1(x)
                local x2, y2 = y.R * B.along(bent(X)), y.R * B.along(bent(Y))
                return { d.x, d.y, d.z, dot(y1, x2) - dot(x1, y2) }
            end)
        end,
    },
    cylindrical = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1 = gap(x, y), axes1(x)
                local _, _, z2 = axes2(y)
                return { dot(x1, d), dot(y1, d), dot(x1, z2), dot(y1, z2) }
            end)
        end,
    },
    distance = {
        kind = function() joint { world1 = list(P), world2 = list(Q) } end,
        functions = function()
            rows(function(x, y) return norm(y:point(QB) - x:point(PA)) - length end)
        end,
    },
    driven_angle = {
        kind = function() joint { axis = list(Z), angle = turned } end,
        functions = function()
            rows(function(x, y, t)
                local x1, y1 = axes1(x)
                return twist(x1, y1, axes2(y)) - turned(t)
            end)
        end,
    },
    driven_coordinate = {
        kind = function() joint { point = list(Q), axis = list(Z), value = reach } end,
        functions = function()
            rows(function(x, y, t)
                return dot(x.R * A.along(Z), y:point(QB) - vec(x.x, x.y, x.z)) - reach(t)
            end)
        end,
    },
    driven_distance = {
        kind = function() joint { world1 = list(P), world2 = list(Q), length = lever } end,
        functions = function()
            rows(function(x, y, t) return norm(y:point(QB) - x:point(PA)) - lever(t) end)
        end,
    },
    fixed = {
        kind = function() joint { point = list(P) } end,
        functions = function()
            rows(function(x, y)
                local d = gap(x, y)
                local p = product(product(inverse(x.quaternion), y.quaternion), inverse(welded))
                return { d.x, d.y, d.z, 2 * p[2], 2 * p[3], 2 * p[4] }
            end)
        end,
    },
    gear = {
        kind = function()
            bearings(Z, X)
            joint { world_axis1 = list(Z), world_axis2 = list(X), ratio = -1.7 }
        end,
        functions = function()
            bearings(Z, X)
            rows(function(x, y)
                local x1, y1 = axes1(x)
                local _, y2, z2 = axes2(y)
                return twist(Y, Z, y2, z2) + 1.7 * twist(X, Y, x1, y1)
            end)
        end,
    },
    rack_and_pinion = {
        kind = function()
            guides(Z, X)
            joint { world_axis1 = list(Z), world_axis2 = list(X), radius = 0.3 }
        end,
        functions = function()
            guides(Z, X)
            rows(function(x, y)
                local _, y2, z2 = axes2(y)
                return dot(Z, x:point(A.com) - A.middle) - 0.3 * twist(Y, Z, y2, z2)
            end)
        end,
    },
    knife_edge = {
        kind = function() joint { point = list(P), axis = list(Z), normal = list(normal) } end,
        functions = function()
            m:nonholonomic { name = "J", a, b, psi = function(x, y)
                local h = cross(x.R * A.along(normal), y.R * B.along(Z))
                local seen = y:velocity(PB) - x.v - cross(x.omega, y:point(PB) - x.r)
                return dot(h / norm(h), seen)
            end }
        end,
    },
    planar = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function()
            rows(function(x, y)
                local x1, y1, z1 = axes1(x)
                local _, _, z2 = axes2(y)
                return { dot(z1, gap(x, y)), dot(x1, z2), dot(y1, z2) }
            end)
        end,
    },
    point_on_line = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1 = gap(x, y), axes1(x)
                return { dot(x1, d), dot(y1, d) }
            end)
        end,
    },
    point_on_plane = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function() rows(function(x, y) return dot(x.R * A.along(Z), gap(x, y)) end) end,
    },
    prismatic = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1, z1 = gap(x, y), axes1(x)
                local x2, y2, z2 = axes2(y)
                return { dot(x1, d), dot(y1, d), dot(y1, z2), dot(z1, x2), dot(x1, y2) }
            end)
        end,
    },
    revolute = {
        kind = function() joint { point = list(P), axis = list(Z) } end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1 = gap(x, y), axes1(x)
                local _, _, z2 = axes2(y)
                return { d.x, d.y, d.z, dot(x1, z2), dot(y1, z2) }
            end)
        end,
    },
    rolling_disk = {
        kind = function()
            joint { point = list(P), axis = list(Z), radius = radius, normal = list(normal),
                    plane_point = list(foot) }
        end,
        functions = function()
            local function parts(x, y)
                local n, z = x.R * A.along(normal), y.R * B.along(Z)
                return n, disk(n, z)
            end
            rows(function(x, y)
                local n, _, h = parts(x, y)
                return dot(n, y:point(PB) - x:point(A.inside(foot))) - radius * h
            end)
            m:nonholonomic { name = "K", a, b, psi = function(x, y)
                local n, e = parts(x, y)
                local s = slip(x, y, y:point(PB) - radius * e)
                local t1 = x.R * A.along(cross(normal, X))
                return { dot(t1, s), dot(cross(n, t1), s) }
            end }
        end,
    },
    screw = {
        kind = function() joint { point = list(P), axis = list(Z), pitch = 0.5 } end,
        functions = function()
            rows(function(x, y)
                local d, x1, y1, z1 = gap(x, y), axes1(x)
                local x2, y2, z2 = axes2(y)
                return { dot(x1, d), dot(y1, d), dot(x1, z2), dot(y1, z2),
                         dot(z1, d) - 0.5 / (2 * math.pi) * twist(x1, y1, x2, y2) }
            end)
        end,
    },
    spherical = {
        kind = function() joint { point = list(P) } end,
        functions = function() rows(gap) end,
    },
    universal = {
        kind = function() joint { point = list(P), world_axis1 = list(X), world_axis2 = list(Y) } end,
        functions = function()
            rows(function(x, y)
                local d = gap(x, y)
                return { d.x, d.y, d.z, dot(x.R * A.along(X), y.R * B.along(Y)) }
            end)
        end,
    },
}

assert(twins[kind], kind .. " has no twin in this file")
twins[kind][by]()
m:simulate { duration = 1 }
return m
