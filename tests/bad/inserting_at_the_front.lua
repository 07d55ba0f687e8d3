-- expect: {file}:5: the file runs longer than 1 s; look for a loop that does not end
-- exit: 3
-- seconds: 1
local t = {}
for i = 1, 5e6 do t[i] = i end while true do table.insert(t, 1, 0) end
