-- expect: {file}:3: print is not available in model files; error("x = " .. x) stops and shows a value
-- exit: 3
print("hello")
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
