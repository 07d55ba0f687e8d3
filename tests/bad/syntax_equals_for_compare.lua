-- expect: {file}:4: 'then' expected near '='; to compare, write ==
-- exit: 3
local n = 3
if n = 3 then n = 4 end
local m = model { name = "test", gravity = { 0, -9.81 } }
return m
