-- expect: {file}:4: the file runs longer than 0.5 s; look for a loop that does not end
-- exit: 3
-- seconds: 0.5
local function f(n) return f(n + 1) end
local x = f(1)
