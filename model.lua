local m = model { dim = 3, gravity = { 0, 0, 0 } }
local a = m:body { name = 'a', mass = 1, inertia = { 0.1, 0.2, 0.25 }, at = { 1, 0, 0 },
    velocity = { 0, 3, 0 }, angular_velocity = { 0, 0, 3 } }
local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.4 }, at = { 2, 1, 1 },
    quaternion = { 0.9, 0.3, -0.2, 0.1 }, velocity = { -3, 6, 0 },
    angular_velocity = { 0, 0, 3 } }
m:joint { 'revolute', name = 'O', m.ground, a, point = { 0, 0, 0 }, axis = { 0, 0, 1 } }
m:joint { 'spherical', name = 'A', a, b, point = { 1.5, 0.5, 0.2 } }
m:force { 'spring', name = 'S', a, b, point1 = { 0, 0.2, 0 }, point2 = { 0.1, 0, 0.1 },
    stiffness = 500, damping = 70, length = 0.3 }
return m
