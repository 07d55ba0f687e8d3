-- expect: {file}:7: bad 'for' limit (number expected, got traced value); a loop needs a fixed number of iterations
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t)
  local x = 0 for i = 1, t do x = x + i end return x
end }
m:simulate { duration = 1 }
return m
