local dim = parameter('dim', 2)
local m = model { dim = dim }
local n = 0
local function wheel(name)
    return m:body { name = name, mass = 1, inertia = dim == 2 and 0.4 or { 0.4, 0.4, 0.4 } }
end
local function add(joint)
    n = n + 1
    joint.name = 'J' .. n
    m:joint(joint)
end
local z = dim == 3 and { 0, 0, 1 } or nil
local function gear(first, second, ratio, carrier)
    add { 'gear', first, second, ratio = ratio, carrier = carrier, world_axis1 = z }
end
local sun, arm, planet = wheel('sun'), wheel('arm'), wheel('planet')
local left, right, case = wheel('left'), wheel('right'), wheel('case')
for _, one in ipairs { sun, arm, left, right, case } do
    add { 'revolute', m.ground, one, axis = z }
end
add { 'revolute', arm, planet, axis = z }
gear(sun, planet, -1, arm)
gear(planet, m.ground, 1 / 3, 'arm')
gear(left, right, -1, case)
for one, speed in pairs { [sun] = 3, [left] = 1, [right] = 3 } do
    add { 'driven_angle', m.ground, one, angle = function(t) return speed * t end, axis = z }
end
return m
