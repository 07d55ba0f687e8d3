-- expect: {file}:6: joint 'motor': angle: the function takes 49996 operations with its derivatives; 4096 are possible: use fewer terms, or tabulated { ... }
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, rod, angle = function(t)
  local x = t for i = 1, 5000 do x = sin(x) + i end return x
end }
m:simulate { duration = 1 }
return m
