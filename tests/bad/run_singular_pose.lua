-- expect: {file}:9: joint 'C': depends on the other joints in the pose at t = {number} s, or nearly so (a pivot is {number} of its usual size), which method 'lagrange' does not support; use direct_mass or masarati, or a step that does not end there; no step is possible after t = {number} s
-- exit: 1
local m = model { name = "parallelogram", gravity = { 0, -9.81 } }
local a = m:body { name = "a", mass = 1, inertia = 0.1, at = { 0, 0.5 }, velocity = { 2.5, 0 }, angular_velocity = -5 }
local c = m:body { name = "c", mass = 1, inertia = 0.1, at = { 1, 1 }, velocity = { 5, 0 } }
local b = m:body { name = "b", mass = 1, inertia = 0.1, at = { 2, 0.5 }, velocity = { 2.5, 0 }, angular_velocity = -5 }
m:joint { "revolute", name = "A", m.ground, a, point = { 0, 0 } }
m:joint { "revolute", name = "B", a, c, point = { 0, 1 } }
m:joint { "revolute", name = "C", c, b, point = { 2, 1 } }
m:joint { "revolute", name = "D", m.ground, b, point = { 2, 0 } }
m:simulate { duration = 2, method = "lagrange", integrator = "rk4", step = 0.001 }
return m
