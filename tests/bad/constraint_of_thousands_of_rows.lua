-- expect: {file}:5: constraint 'track': the function returns 5000 numbers; at most 1000 are possible
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:constraint { name = "track", rod, phi = function(b, t)
  local rows = {}
  for i = 1, 5000 do rows[i] = b.x * i end
  return rows
end }
m:simulate { duration = 1 }
return m
