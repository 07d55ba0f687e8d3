-- SPDX-License-Identifier: MIT
-- What model files compute with vectors of two or three components and with 3 x 3 matrices. Values
-- are made and kept by vector.c; a matrix is its three rows. Arithmetic on components is Lua's own,
-- so that traced ones are recorded like any others.
--
--     dot(a, b) = a1 b1 + a2 b2 + a3 b3        norm(a) = sqrt(dot(a, a))
--     cross(a, b) = (a2 b3 - a3 b2, a3 b1 - a1 b3, a1 b2 - a2 b1), in the plane a1 b2 - a2 b1
--     (m a)_i = dot(m_i, a)        (m n)_i = m_i1 n_1 + m_i2 n_2 + m_i3 n_3

local vector, matrix, traced, c = ...  -- metatables, and the functions of vector.c
local new, new_matrix, part, size, check_list = c.vector, c.matrix, c.part, c.size, c.check_list
local is_matrix, is_scalar, kind, hint = c.is_matrix, c.is_scalar, c.kind, c.hint
-- A model file may change its globals.
local select, type, tostring, rawlen, next, sqrt = select, type, tostring, rawlen, next, sqrt
local format, integer, unpack, concat = string.format, math.tointeger, table.unpack, table.concat

-- Its line is that of the model file.
local function fail(...)
    c.fail(format(...))
end

local function refuse_size(count, owner)
    fail("%s: a vector has 2 or 3 components, got %d", owner, count)
end

-- The vector, or the list as one; nil for anything else.
local function as_vector(a, owner)
    if type(a) ~= "table" then
        return size(a) > 0 and a or nil
    end
    local count = rawlen(a)
    if count <= 3 then
        check_list(a, count, owner)  -- of { x = 1 } the keys are to blame
    end
    if count ~= 2 and count ~= 3 then
        refuse_size(count, owner)
    end
    return new(owner, unpack(a, 1, count))
end

local function refuse_operator(a, sign, b, remedy)
    fail("%s %s %s is not defined; %s", kind(a), sign, kind(b), remedy)
end

local function common_size(a, b, owner)
    if size(a) ~= size(b) then
        fail("%s: a vector of %d components cannot be combined with one of %d", owner, size(a), size(b))
    end
    return size(a)
end

-- Keys as messages show them.
local function shown(key)
    return (type(key) == "number" or type(key) == "string") and tostring(key) or kind(key)
end

local function add(x, y) return x + y end
local function subtract(x, y) return x - y end
local function multiply(x, y) return x * y end
local function divide(x, y) return x / y end
local function negate(x) return -x end

-- --- vectors ---

-- f(a_i, s) of every component.
local function each(owner, f, a, s)
    if size(a) == 2 then
        return new(owner, f(part(a, 1), s), f(part(a, 2), s))
    end
    return new(owner, f(part(a, 1), s), f(part(a, 2), s), f(part(a, 3), s))
end

-- a + b and a - b, where one may be a list.
local function sum(sign, f)
    local owner = "a " .. sign .. " b"
    return function(a, b)
        local u = as_vector(a, owner)
        local w = u and as_vector(b, owner)
        if not w then
            refuse_operator(u or a, sign, b, "both must be vectors")
        end
        if common_size(u, w, owner) == 2 then
            return new(owner, f(part(u, 1), part(w, 1)), f(part(u, 2), part(w, 2)))
        end
        return new(owner, f(part(u, 1), part(w, 1)), f(part(u, 2), part(w, 2)),
                   f(part(u, 3), part(w, 3)))
    end
end

vector.__add, vector.__sub = sum("+", add), sum("-", subtract)

function vector.__mul(a, b)
    local v, other = a, b
    if size(a) == 0 then
        v, other = b, a
    end
    if is_scalar(other) then
        return each("a * number", multiply, v, other)
    elseif is_matrix(other) then
        refuse_operator(a, "*", b, "use transpose(m) * a")
    elseif type(other) == "table" or size(other) > 0 then
        refuse_operator(a, "*", b, "use dot(a, b) or cross(a, b)")
    end
    refuse_operator(a, "*", b, "a vector can be multiplied by a number")
end

function vector.__div(a, s)
    if size(a) == 0 or not is_scalar(s) then
        refuse_operator(a, "/", s, "a vector can be divided by a number")
    end
    return each("a / number", divide, a, s)
end

function vector.__unm(a)
    return each("-a", negate, a)
end

function vector.__pow(a, b)
    refuse_operator(a, "^", b, "use dot(a, a) or norm(a)")
end

function vector.__eq(a, b)
    if size(a) ~= size(b) then
        return false
    end
    for i = 1, size(a) do
        local x, y = part(a, i), part(b, i)
        if type(x) ~= "number" or type(y) ~= "number" then
            fail("cannot compare a vector with a traced component; use where(less(a, b), x, y) on numbers")
        end
        if x ~= y then
            return false
        end
    end
    return true
end

local places = { x = 1, y = 2, z = 3 }
local calls = { cross = "cross(a, b)", dot = "dot(a, b)", norm = "norm(a)" }

-- a.x, a.y, a.z and a[1], a[2], a[3].
function vector.__index(a, key)
    local count, whole = size(a), type(key) == "number" and integer(key)
    local i = whole or places[key]
    if i and i >= 1 and i <= count then
        return part(a, i)
    elseif whole then
        fail("a vector of %d components has no [%s]; a loop over it is 'for i = 1, #a do'", count,
             shown(key))
    end
    local remedy = calls[key] and "; write " .. calls[key] or
        hint({ x = 1, y = 2, z = count == 3 and 3 or nil }, shown(key))
    fail("a vector of %d components has no '%s'%s", count, shown(key), remedy)
end

function vector.__newindex()
    fail("a vector cannot be changed; make a new one: vec(x, y, z)")
end

vector.__len = size

function vector.__tostring(a)
    local list = {}
    for i = 1, size(a) do
        local x = part(a, i)
        list[i] = type(x) == "number" and format("%.14g", x) or kind(x)
    end
    return "vec(" .. concat(list, ", ") .. ")"
end

function vector.__concat()
    fail("a vector is not a string; use tostring(a)")
end

-- vec(x, y, z), vec { x, y, z }, or the same with two components. A vector stays what it is.
function vec(...)
    local count = select("#", ...)
    local whole = count == 1 and as_vector((...), "vec")
    if whole then
        return whole
    elseif count ~= 2 and count ~= 3 then
        refuse_size(count, "vec")
    end
    return new("vec", ...)
end

local function need_vector(a, place, owner)
    local u = as_vector(a, owner)
    if not u then
        fail("%s: argument %d must be a vector or a list { x, y, z }, got %s", owner, place, kind(a))
    end
    return u
end

function dot(a, b)
    local u, w = need_vector(a, 1, "dot"), need_vector(b, 2, "dot")
    local count = common_size(u, w, "dot")
    local sum = part(u, 1) * part(w, 1) + part(u, 2) * part(w, 2)
    return count == 2 and sum or sum + part(u, 3) * part(w, 3)
end

local dot = dot

local function minor(a, b, i, j)
    return part(a, i) * part(b, j) - part(a, j) * part(b, i)
end

function cross(a, b)
    local u, w = need_vector(a, 1, "cross"), need_vector(b, 2, "cross")
    if common_size(u, w, "cross") == 2 then
        return minor(u, w, 1, 2)
    end
    return new("cross", minor(u, w, 2, 3), minor(u, w, 3, 1), minor(u, w, 1, 2))
end

function norm(a)
    local u = need_vector(a, 1, "norm")
    return sqrt(dot(u, u))
end

-- --- matrices ---

local function row_of(a, i, owner)
    local label = format("%s: row %d", owner, i)
    local row = as_vector(a, label)
    if not row then
        fail("%s must be a vector or a list { x, y, z }, got %s", label, kind(a))
    elseif size(row) ~= 3 then
        fail("%s must have 3 components, got %d", label, size(row))
    end
    return row
end

-- mat(row, row, row), mat { row, row, row }, or mat() for the identity. A matrix stays what it is.
function mat(...)
    local first, count = ..., select("#", ...)
    if count == 0 then
        return new_matrix(new("mat", 1, 0, 0), new("mat", 0, 1, 0), new("mat", 0, 0, 1))
    elseif count == 1 and is_matrix(first) then
        return first
    end
    local list = count == 1 and type(first) == "table" and first or { ... }
    count = list == first and rawlen(first) or count
    if count ~= 3 then
        fail("mat: a matrix has 3 rows, mat { { ... }, { ... }, { ... } }, got %d", count)
    elseif list == first then
        check_list(list, 3, "mat")
    end
    return new_matrix(row_of(list[1], 1, "mat"), row_of(list[2], 2, "mat"), row_of(list[3], 3, "mat"))
end

-- f(m_i, s) of every row.
local function each_row(f, m, s)
    return new_matrix(f(part(m, 1), s), f(part(m, 2), s), f(part(m, 3), s))
end

local function matrix_sum(sign, f)
    return function(m, n)
        if not (is_matrix(m) and is_matrix(n)) then
            refuse_operator(m, sign, n, "both must be matrices")
        end
        return new_matrix(f(part(m, 1), part(n, 1)), f(part(m, 2), part(n, 2)),
                          f(part(m, 3), part(n, 3)))
    end
end

matrix.__add, matrix.__sub = matrix_sum("+", add), matrix_sum("-", subtract)

-- m_i1 n_1 + m_i2 n_2 + m_i3 n_3, of a row m_i.
local function row_times(row, n)
    return part(row, 1) * part(n, 1) + part(row, 2) * part(n, 2) + part(row, 3) * part(n, 3)
end

function matrix.__mul(a, b)
    local left = is_matrix(a)
    if left and is_matrix(b) then
        return each_row(row_times, a, b)
    elseif left and is_scalar(b) then
        return each_row(multiply, a, b)
    elseif is_scalar(a) then
        return each_row(multiply, b, a)
    elseif not left and type(a) == "table" then
        refuse_operator(a, "*", b, "use transpose(m) * a")
    end
    local v = left and as_vector(b, "m * a")
    if not v then
        refuse_operator(a, "*", b, "a number, a vector or a matrix is needed")
    elseif size(v) ~= 3 then
        fail("m * a: the vector must have 3 components, got %d", size(v))
    end
    return new("m * a", dot(part(a, 1), v), dot(part(a, 2), v), dot(part(a, 3), v))
end

function matrix.__div(m, s)
    if not (is_matrix(m) and is_scalar(s)) then
        refuse_operator(m, "/", s, "a matrix can be divided by a number")
    end
    return each_row(divide, m, s)
end

function matrix.__unm(m)
    return each_row(negate, m)
end

function matrix.__pow(m, n)
    refuse_operator(m, "^", n, "write the product: m * m")
end

function matrix.__eq(m, n)
    return is_matrix(m) and is_matrix(n) and part(m, 1) == part(n, 1) and part(m, 2) == part(n, 2) and
        part(m, 3) == part(n, 3)
end

-- m[i], a row.
function matrix.__index(m, key)
    local i = type(key) == "number" and integer(key)
    if i and i >= 1 and i <= 3 then
        return part(m, i)
    end
    local turned = key == "transpose" or key == "T"
    fail("a matrix has no '%s'; %s", shown(key),
         turned and "write transpose(m)" or "it has rows m[1], m[2], m[3]")
end

function matrix.__newindex()
    fail("a matrix cannot be changed; make a new one: mat(row1, row2, row3)")
end

function matrix.__len()
    return 3
end

function matrix.__tostring(m)
    return format("mat(%s, %s, %s)", tostring(part(m, 1)), tostring(part(m, 2)), tostring(part(m, 3)))
end

function matrix.__concat()
    fail("a matrix is not a string; use tostring(m)")
end

local function column(m, j)
    return new("transpose", part(part(m, 1), j), part(part(m, 2), j), part(part(m, 3), j))
end

function transpose(m)
    if not is_matrix(m) then
        fail("transpose: the argument must be a matrix, got %s", kind(m))
    end
    return new_matrix(column(m, 1), column(m, 2), column(m, 3))
end

-- --- traced values on the left ---

-- An operator looks at its left operand first: traced values leave vectors and matrices to these.
for _, event in next, { "__add", "__sub", "__mul", "__div" } do
    local own = traced[event]
    traced[event] = function(a, b)
        local meta = size(b) > 0 and vector or is_matrix(b) and matrix
        return (meta and meta[event] or own)(a, b)
    end
end
