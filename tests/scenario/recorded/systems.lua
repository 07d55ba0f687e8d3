-- SPDX-License-Identifier: MIT
-- Mechanisms built from bodies and joints (by = "kind"), and the same ones as equations of a user's
-- own (by = "functions").
--
--     what   "double_pendulum", "four_bar": angles of the bars against x, all from x of the world
--            "heavy_top": center of mass and quaternion, seven numbers, with a singular mass

local what, by = parameter("what"), parameter("by", "kind")
local g = 9.81

-- --- bars ---

local bars = {
    { mass = 1.2, inertia = 0.3, length = 1.0, angle = 0.4, rate = 0.7 },
    { mass = 0.7, inertia = 0.5, length = 2.2, angle = 0.9, rate = -0.4 },
    { mass = 0.9, inertia = 0.2, length = 1.8, angle = 1.7 },
}

local function along(bar)
    return vec(bar.length * math.cos(bar.angle), bar.length * math.sin(bar.angle))
end

local function across(bar)
    return vec(-bar.length * math.sin(bar.angle), bar.length * math.cos(bar.angle))
end

-- The follower of a four-bar hangs from where the coupler ends, and the rates of both follow that of
-- the crank:  w1 n1 + w2 n2 = w3 n3  with n across the bars.
local one, two, three = bars[1], bars[2], bars[3]
local pivot = along(one) + along(two) - along(three)
if what == "four_bar" then
    two.rate = one.rate * cross(across(one), across(three)) / -cross(across(two), across(three))
    three.rate = one.rate * cross(across(one), across(two)) / cross(across(three), across(two))
end

local function bar_bodies()
    local m = model { name = what, gravity = { 0, -g } }
    local function add(name, bar, at, velocity)
        return m:body { name = name, mass = bar.mass, inertia = bar.inertia, com = { bar.length / 2, 0 },
                        at = { at.x, at.y }, velocity = { velocity.x, velocity.y }, angle = bar.angle,
                        angular_velocity = bar.rate }
    end
    local knee = along(one)
    local a = add("one", one, vec(0, 0), vec(0, 0))
    local b = add("two", two, knee, one.rate * across(one))
    m:joint { "revolute", name = "O", m.ground, a, point = { 0, 0 } }
    m:joint { "revolute", name = "A", a, b, point = { knee.x, knee.y } }
    if what == "four_bar" then
        local c = add("three", three, pivot, vec(0, 0))
        m:joint { "revolute", name = "D", m.ground, c, point = { pivot.x, pivot.y } }
        m:joint { "revolute", name = "B", b, c, point1 = { two.length, 0 }, point2 = { three.length, 0 } }
    end
    return m
end

-- Lagrange's equations of two bars, the second at the end of the first, and of a third one alone.
local function bar_equations()
    local four = what == "four_bar"
    local names = four and { "one", "two", "three" } or { "one", "two" }
    local s = system { name = what, coordinates = names }
    local m1, m2, m3 = one.mass, two.mass, three.mass
    local l1, l2, l3 = one.length, two.length, three.length
    local swing = m2 * l1 * l2 / 2
    local J1, J2 = one.inertia + m1 * l1 ^ 2 / 4 + m2 * l1 ^ 2, two.inertia + m2 * l2 ^ 2 / 4
    local J3 = three.inertia + m3 * l3 ^ 2 / 4
    s:mass(function(q)
        local k = swing * cos(q.one - q.two)
        return four and { { J1, k, 0 }, { k, J2, 0 }, { 0, 0, J3 } } or { { J1, k }, { k, J2 } }
    end)
    s:force(function(q, v)
        local k = swing * sin(q.one - q.two)
        local Q = { one = -(m1 / 2 + m2) * l1 * g * cos(q.one) - k * v.two ^ 2,
                    two = -m2 * l2 / 2 * g * cos(q.two) + k * v.one ^ 2 }
        if four then Q.three = -m3 * l3 / 2 * g * cos(q.three) end
        return Q
    end)
    if four then
        s:constraint { name = "B", unit = "m", phi = function(q)
            return { l1 * cos(q.one) + l2 * cos(q.two) - l3 * cos(q.three) - pivot.x,
                     l1 * sin(q.one) + l2 * sin(q.two) - l3 * sin(q.three) - pivot.y }
        end }
    end
    local start = { one = one.angle, two = two.angle, v = { one = one.rate, two = two.rate } }
    if four then start.three, start.v.three = three.angle, three.rate end
    s:start(start)
    return s
end

-- --- the top ---

local mass, J, arm = 0.5, { 3e-3, 4e-3, 5e-3 }, vec(0.02, -0.03, 0.2)
local tilt, W = 0.5, vec(0.6, -0.4, 25) -- about x; angular velocity in axes of the top

local function top_bodies()
    local m = model { name = what, dim = 3, gravity = { 0, 0, -g }, coordinates = "quaternion" }
    local c, s = math.cos(tilt), math.sin(tilt)
    local top = m:body { name = "top", mass = mass, inertia = J, com = { arm.x, arm.y, arm.z },
                         rotation = { tilt, 0, 0 },
                         angular_velocity = { W.x, c * W.y - s * W.z, s * W.y + c * W.z } }
    m:joint { "spherical", name = "tip", m.ground, top, point = { 0, 0, 0 } }
    return m
end

-- Rows of E(e), with W = 2 E(e) e' in axes of the body.
local function E(e)
    return { { -e[2], e[1], e[4], -e[3] }, { -e[3], -e[4], e[1], e[2] }, { -e[4], e[3], -e[2], e[1] } }
end

local function times(rows, e)
    local out = {}
    for i, row in ipairs(rows) do
        out[i] = row[1] * e[1] + row[2] * e[2] + row[3] * e[3] + row[4] * e[4]
    end
    return out
end

local function rotation(e)
    local w, x, y, z = e[1], e[2], e[3], e[4]
    return mat { { w ^ 2 + x ^ 2 - y ^ 2 - z ^ 2, 2 * (x * y - w * z), 2 * (x * z + w * y) },
                 { 2 * (x * y + w * z), w ^ 2 - x ^ 2 + y ^ 2 - z ^ 2, 2 * (y * z - w * x) },
                 { 2 * (x * z - w * y), 2 * (y * z + w * x), w ^ 2 - x ^ 2 - y ^ 2 + z ^ 2 } }
end

-- T = 2 e'' E' J E e' gives  4 E' J E e'' = -8 E(e')' J E e'.
local function top_equations()
    local s = system { name = what, coordinates = { "x", "y", "z", "e0", "e1", "e2", "e3" } }
    s:mass(function(q)
        local rows, M = E { q.e0, q.e1, q.e2, q.e3 }, {}
        for i = 1, 7 do
            M[i] = { 0, 0, 0, 0, 0, 0, 0 }
            for j = 4, i > 3 and 7 or 0 do
                for k = 1, 3 do M[i][j] = M[i][j] + 4 * J[k] * rows[k][i - 3] * rows[k][j - 3] end
            end
        end
        for i = 1, 3 do M[i][i] = mass end
        return M
    end)
    s:force(function(q, v)
        local rate = { v.e0, v.e1, v.e2, v.e3 }
        local turning, swirl = E(rate), times(E { q.e0, q.e1, q.e2, q.e3 }, rate)
        local Q = { 0, 0, -mass * g, 0, 0, 0, 0 }
        for i = 1, 4 do
            for k = 1, 3 do Q[3 + i] = Q[3 + i] - 8 * turning[k][i] * J[k] * swirl[k] end
        end
        return Q
    end)
    s:constraint { name = "tip", unit = "m", phi = function(q)
        return vec(q.x, q.y, q.z) - rotation { q.e0, q.e1, q.e2, q.e3 } * arm
    end }
    s:constraint { name = "norm", phi = function(q)
        return (q.e0 ^ 2 + q.e1 ^ 2 + q.e2 ^ 2 + q.e3 ^ 2 - 1) / 2
    end }
    local e = { math.cos(tilt / 2), math.sin(tilt / 2), 0, 0 }
    local R, rows = rotation(e), E(e)
    local r, v, rate = R * arm, R * cross(W, arm), {}
    for i = 1, 4 do
        rate[i] = 0.5 * (rows[1][i] * W.x + rows[2][i] * W.y + rows[3][i] * W.z)
    end
    s:start { x = r.x, y = r.y, z = r.z, e0 = e[1], e1 = e[2], e2 = e[3], e3 = e[4],
              v = { x = v.x, y = v.y, z = v.z, e0 = rate[1], e1 = rate[2], e2 = rate[3], e3 = rate[4] } }
    return s
end

if what == "heavy_top" then
    return by == "kind" and top_bodies() or top_equations()
end
return by == "kind" and bar_bodies() or bar_equations()
