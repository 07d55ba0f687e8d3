-- expect: {file}:4: assembly needs a table: assembly { name = "...", dim = 2 }
-- exit: 3

local g = assembly "bad"
return g
