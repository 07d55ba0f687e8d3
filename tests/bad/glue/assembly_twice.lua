-- expect: {file}:5: assembly: a file can describe only one model or assembly
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
local g = assembly { name = "bad", dim = 2 }
return g
