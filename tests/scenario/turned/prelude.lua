-- SPDX-License-Identifier: MIT
-- Stands before a model file and turns the whole of it about the origin: bodies, ground and gravity.
-- turn = 0 to 23: in the plane 15 degrees each, in space about another axis each time.
local turn = parameter("turn", 0)
local real = model

local function axis_of(k)
    local z = 1 - (2 * k + 1) / 24
    local r = math.sqrt(1 - z * z)
    return r * math.cos(2.4 * k), r * math.sin(2.4 * k), z
end

-- The quaternion of the turn.
local angle = turn * math.pi / 12
local function turning(dim)
    local x, y, z = axis_of(turn)
    if dim ~= 3 then
        x, y, z = 0, 0, 1
    end
    local s = math.sin(angle / 2)
    return { math.cos(angle / 2), s * x, s * y, s * z }
end

local function product(p, q)
    return {
        p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4],
        p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
        p[1] * q[3] + p[3] * q[1] + p[4] * q[2] - p[2] * q[4],
        p[1] * q[4] + p[4] * q[1] + p[2] * q[3] - p[3] * q[2],
    }
end

local function rotate(p, a)
    if a == nil then
        return nil
    end
    local r = product(product(p, { 0, a[1], a[2], a[3] or 0 }), { p[1], -p[2], -p[3], -p[4] })
    return a[3] and { r[2], r[3], r[4] } or { r[2], r[3] }
end

local function quaternion_of(body)
    if body.quaternion then
        return body.quaternion
    end
    local a = body.rotation or { 0, 0, 0 }
    local size = math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2)
    local s = size > 0 and math.sin(size / 2) / size or 0
    return { math.cos(size / 2), s * a[1], s * a[2], s * a[3] }
end

local function turn_body(self, t)
    local zero = self.dim == 3 and { 0, 0, 0 } or { 0, 0 }
    t.at, t.velocity = rotate(self.p, t.at or zero), rotate(self.p, t.velocity)
    if self.dim == 3 then
        t.quaternion, t.rotation = product(self.p, quaternion_of(t)), nil
        t.angular_velocity = rotate(self.p, t.angular_velocity)
    else
        t.angle = (t.angle or 0) + angle
    end
    return self.real:body(t)
end

local known = {
    name = true, pitch = true, point = true, point1 = true, point2 = true, axis = true, axis1 = true, axis2 = true,
    radius = true, normal = true, plane_point = true,
}

-- What belongs to the world is turned: points and axes given once, and those of ground.
local function turn_joint(self, t)
    for k in pairs(t) do
        if math.type(k) == nil and not known[k] then
            error("prelude.lua cannot turn '" .. k .. "'")
        end
    end
    t.point, t.axis = rotate(self.p, t.point), rotate(self.p, t.axis)
    t.normal, t.plane_point = rotate(self.p, t.normal), rotate(self.p, t.plane_point)
    t.point1 = t[2] == self.ground and rotate(self.p, t.point1) or t.point1
    t.point2 = t[3] == self.ground and rotate(self.p, t.point2) or t.point2
    t.axis1 = t[2] == self.ground and rotate(self.p, t.axis1) or t.axis1
    t.axis2 = t[3] == self.ground and rotate(self.p, t.axis2) or t.axis2
    return self.real:joint(t)
end

function model(t)
    local p = turning(t.dim)
    t.gravity = rotate(p, t.gravity)
    local m = real(t)
    return {
        real = m, ground = m.ground, p = p, dim = t.dim,
        body = turn_body, joint = turn_joint,
        frame = function(self, f) return m:frame(f) end,
        simulate = function(self, s) return m:simulate(s) end,
    }
end
