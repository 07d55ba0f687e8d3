-- expect: {file}:4: coupled needs a table: coupled { name = "...", dim = 2 }
-- exit: 3

local g = assembly "bad"
return g
