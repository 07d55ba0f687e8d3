-- expect: {file}:6: joint 'pin2': depends on the other joints (2 redundant rows in all), which method 'lagrange_kkt' does not support; free redundant directions, or use direct_mass
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "revolute", name = "pin2", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, method = "lagrange_kkt" }
return m
