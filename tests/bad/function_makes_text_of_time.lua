-- expect: {file}:7: a traced value cannot be part of a string; it has a number only when the simulation runs
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t)
  return t .. " rad"
end }
m:simulate { duration = 1 }
return m
