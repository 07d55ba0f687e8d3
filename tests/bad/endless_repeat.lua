-- expect: {file}:5: the file runs longer than 0.5 s; look for a loop that does not end
-- exit: 3
-- seconds: 0.5
local n = 0
repeat n = n + 1 until n < 0
