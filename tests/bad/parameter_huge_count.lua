-- expect: {file}:7: body 'b{number}': the model needs too much memory (the limit is 1024 MiB); look for a loop that adds without end
-- exit: 3
-- args: --set N=1e300
-- slow: yes
local n = parameter("N", 3)
local m = model { name = "test", gravity = { 0, -9.81 } }
for i = 1, n do m:body { name = "b" .. i, mass = 1, inertia = 1 } end
return m
