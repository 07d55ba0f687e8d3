-- expect: {file}:4: undefined function 'math.squareroot'; Lua 5.4 has no such function
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local x = math.squareroot(2)
return m
