-- expect: {file}:3: require is not available in model files; model files cannot load other files; pass values with parameter("N", 1) and --set N=2
-- exit: 3
local np = require("numpy")
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
