-- expect: {file}:5: body: the name is empty; write at least a letter
-- exit: 3
local s = string.rep("", 1e15)
local m = model { name = "test", gravity = { 0, -9.81 } }
m:body { name = s, mass = 1 }
return m
