-- expect: {file}:6: getmetatable is not available in model files; use plain tables and functions
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local left = g:module { name = "left", program = "mass_spring.so", set = { m = 1, k = 30, q = 0.1 } }
getmetatable(left).__index = nil
return g
