-- expect: {file}:4: body: 'name' is missing
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
m:body { mass = 1 }
return m
