-- expect: {file}:4: syntax error near '+'; Lua has no += : write n = n + 1
-- exit: 3
local n = 0
n += 1
local m = model { name = "test", gravity = { 0, -9.81 } }
return m
