-- expect: {file}:5: assembly: a file describes one model or one assembly
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
local g = assembly { name = "bad", dim = 2 }
return g
