-- expect: {file}:8: the functions have more than 4000000 operations with their derivatives; look for a loop that records too much
-- exit: 3
-- slow: yes
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t)
  local x = b.x
  while true do x = x * x + b.y end
end }
return m
