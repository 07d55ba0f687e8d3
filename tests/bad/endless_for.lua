-- expect: {file}:5: the file runs longer than 0.5 s; look for a loop that does not end
-- exit: 3
-- seconds: 0.5
local n = 0
for i = 1, 1e18 do n = n + i end
