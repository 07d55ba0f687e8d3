-- expect: {file}:3: load is not available in model files; write the function in the file
-- exit: 3
local f = load("return 1")
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
