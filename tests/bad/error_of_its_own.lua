-- expect: {file}:4: N must be at least 1
-- exit: 3
local n = parameter("N", 0)
if n < 1 then error("N must be at least 1") end
local m = model { name = "test", gravity = { 0, -9.81 } }
return m
