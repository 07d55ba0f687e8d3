-- expect: {file}:4: body 'rod': a rotation of it has neither inertia nor a joint that holds it at t = 0 s; give it inertia > 0, or a joint
-- exit: 3
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, at = { 0.5, 0, 0 } }
m:joint { "spherical", name = "ball", m.ground, rod, point = { 0, 0, 0 } }
m:simulate { duration = 1 }
return m
