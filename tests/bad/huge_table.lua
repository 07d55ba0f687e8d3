-- expect: {file}:4: the file needs too much memory (the limit is 512 MiB); look for a table that grows without end
-- exit: 3
local t = {}
for i = 1, 1e12 do t[i] = i end
