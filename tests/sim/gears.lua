-- A gear in space. The bearings of the first cases hold both axes in ground, in one body that does not turn,
-- or in the carrier; those of the others do not (see `cases`).
local case = parameter("case", 1)
local m = model { name = "gears", dim = 3, coordinates = parameter("coordinates", "body") }
local z, oblique = { 0, 0, 1 }, { math.sin(0.5), 0, math.cos(0.5) }
local ground = m.ground

local function body(name, at)
    return m:body { name = name, mass = 1, inertia = { 1, 1.2, 1.5 }, at = at or { 0, 0, 0 } }
end

local count = 0
local function bearing(kind, first, second, axis)
    count = count + 1
    m:joint { kind, name = kind .. count, first, second, axis = axis }
end

local a, b, c = body("a"), body("b", { 1, 0, 0 }), body("c")
local axis, on = oblique, nil

-- What c is: the carrier.
local carrier = {
    carriage = function() bearing("prismatic", ground, c, { 1, 0, 0 }) end,
    arm = function() bearing("revolute", ground, c, z) end,
    welded = function() m:joint { "fixed", name = "weld", ground, c } end,
}

-- c is the coupler of two parallel cranks, 1 m and `length` long: it does not turn, or not for an instant.
local function four_bar(length)
    local cranks = { body("crank"), body("rocker", { 2, 0, 0 }) }
    for i, crank in ipairs(cranks) do
        m:joint { "revolute", name = "pin" .. i, ground, crank, point = { 2 * i - 2, 0, 0 }, axis = z }
        m:joint { i == 1 and "revolute" or "spherical", name = "end" .. i, crank, c,
                  point = { 2 * i - 2, i == 1 and 1 or length, 0 }, axis = i == 1 and z or nil }
    end
    bearing("revolute", c, a, z)
    bearing("revolute", c, b, oblique)
end

local cases = {
    function() carrier.arm() bearing("revolute", ground, a, z) bearing("revolute", ground, b, oblique) end,
    function()
        carrier.arm()
        bearing("cylindrical", ground, a, z)
        m:joint { "screw", name = "thread", ground, b, axis = oblique, pitch = 0.1 }
    end,
    function() carrier.carriage() bearing("revolute", c, a, z) bearing("revolute", c, b, oblique) end,
    function() carrier.welded() bearing("revolute", c, a, z) bearing("revolute", ground, b, oblique) end,
    function()  -- two balls on the axis
        carrier.arm()
        m:joint { "spherical", name = "below", ground, a, point = { 0, 0, -1 } }
        m:joint { "spherical", name = "above", ground, a, point = { 0, 0, 1 } }
        bearing("revolute", ground, b, oblique)
    end,
    function()  -- a is fixed on the shaft c
        carrier.arm()
        m:joint { "fixed", name = "weld", c, a }
        bearing("revolute", ground, b, oblique)
    end,
    function() four_bar(1) end,
    function() on = c carrier.arm() bearing("revolute", c, a, z) bearing("revolute", c, b, oblique) end,
    function() on = c carrier.arm() bearing("revolute", ground, a, z) bearing("revolute", c, b, oblique) end,
    function()  -- the carrier is guided by an arm, which turns as well
        local arm = body("arm")
        on = c
        bearing("revolute", ground, arm, z)
        bearing("revolute", arm, c, oblique)
        bearing("cylindrical", c, a, z)
        bearing("revolute", c, b, oblique)
    end,
    -- from here on they are refused
    function() on = c carrier.arm() bearing("revolute", ground, a, z) bearing("revolute", ground, b, oblique) end,
    function()  -- a turns about a line that moves in the carrier
        on = c
        carrier.carriage()
        bearing("revolute", ground, a, z)
        bearing("revolute", c, b, oblique)
    end,
    function() carrier.arm() bearing("revolute", c, a, z) bearing("revolute", c, b, oblique) end,
    function() carrier.arm() bearing("revolute", ground, a, z) bearing("revolute", c, b, oblique) end,
    function()  -- a planet with its axis parallel to that of the arm
        axis = z
        carrier.arm()
        bearing("revolute", ground, a, z)
        bearing("revolute", c, b, z)
    end,
    function()  -- the arm is driven
        carrier.arm()
        m:joint { "driven_angle", name = "motor", ground, c, axis = z, angle = function(t) return 2 * t end }
        bearing("revolute", ground, a, z)
        bearing("revolute", c, b, oblique)
    end,
    function() carrier.arm() bearing("revolute", ground, a, z) end,
    function()
        carrier.arm()
        m:joint { "universal", name = "cross", ground, a, axis1 = z, axis2 = { 1, 0, 0 } }
        bearing("revolute", ground, b, oblique)
    end,
    function() carrier.arm() bearing("revolute", ground, a, z) bearing("revolute", ground, b, z) end,
    function() carrier.carriage() bearing("revolute", ground, a, z) bearing("revolute", c, b, oblique) end,
    function() four_bar(1.02) end,
    function()  -- a is Watt's planet, fixed on the rod of a slider-crank, which turns about another line in each instant
        local slider = body("slider", { 2, 0, 0 })
        axis = z
        bearing("revolute", ground, b, z)
        bearing("revolute", ground, c, z)
        m:joint { "revolute", name = "crank pin", c, a, point = { 0.5, 0.8, 0 }, axis = z }
        m:joint { "spherical", name = "rod end", a, slider, point = { 2, 0, 0 } }
        bearing("prismatic", ground, slider, { 1, 0, 0 })
    end,
}
cases[case]()
m:joint { "gear", name = "mesh", a, b, world_axis1 = z, world_axis2 = axis, ratio = -2, carrier = on }
m:simulate { duration = 0.1 }
return m
