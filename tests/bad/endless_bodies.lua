-- expect: {file}:8: body 'b{number}': the model needs too much memory (the limit is 1024 MiB); look for a loop that adds without end
-- exit: 3
-- slow: yes
local m = model { name = "test", gravity = { 0, -9.81 } }
local n = 0
while true do
  n = n + 1
  m:body { name = "b" .. n, mass = 1, inertia = 1 }
end
