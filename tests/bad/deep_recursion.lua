-- expect: {file}:3: stack overflow; a function calls itself without end
-- exit: 3
local function f(n) return 1 + f(n + 1) end
local x = f(1)
