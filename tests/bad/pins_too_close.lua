-- expect: {file}:9: joint 'pin2': its acceleration contradicts the other joints at t = 0 s (0.000118 m/s^2 cannot be removed); remove or change one of them; it nearly depends on the other joints, which leave 1.9e-05 of it: less than rank_tolerance (1e-04), so that it is not held; use rank_tolerance = 6e-06
-- exit: 3
-- Two pins 10 micrometers apart weld the plate to the rod, on paper.
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0.1 } }
local plate = m:body { name = "plate", mass = 2, inertia = 0.2, at = { 1.1, 0.2 } }
m:joint { "revolute", name = "pivot", m.ground, rod, point = { 0, 0 } }
m:joint { "revolute", name = "pin1", rod, plate, point = { 1, 0.1 } }
m:joint { "revolute", name = "pin2", rod, plate, point = { 1, 0.10001 } }
m:simulate { duration = 1 }
return m
