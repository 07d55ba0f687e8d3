-- expect: {file}:5: the file needs too much memory (the limit is 512 MiB); look for a table that grows without end
-- exit: 3
local part, t = ("x"):rep(1e6), {}
for i = 1, 1e6 do t[i] = part end
local s = table.concat(t)
