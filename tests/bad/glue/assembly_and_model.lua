-- expect: {file}:5: model: an assembly has no model of its own; make it a file, and a module of that
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
local m = model { name = "m" }
return g
