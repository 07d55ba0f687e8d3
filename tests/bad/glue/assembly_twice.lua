-- expect: {file}:5: assembly: a file can describe only one model, system or assembly; put others into files of their own
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
local g = assembly { name = "bad", dim = 2 }
return g
