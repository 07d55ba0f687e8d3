-- expect: {file}:5: model: a file can describe only one model, system or assembly; put others into files of their own
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local m = model { name = "m" }
return g
