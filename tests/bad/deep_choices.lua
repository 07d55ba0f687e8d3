-- expect: {file}:9: the functions have more than 4000000 operations with their derivatives; look for a loop that records too much
-- exit: 3
-- slow: yes
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { name = "law", rod, force = function(b, t)
  local x = b.x
  for i = 1, 1e6 do x = where(less(b.y, i), x, where(less(x, i), b.y, 0)) end
  return { x, 0 }
end }
m:simulate { duration = 1 }
return m
