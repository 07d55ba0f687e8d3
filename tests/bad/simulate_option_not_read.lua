-- expect: {file}: 'penalty' is not read by what is chosen; augmented_lagrangian, augmented_lagrangian_projected and penalty do; use one of these, or leave 'penalty' out
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, penalty = 1e6 }
return m
