-- expect: {file}:3: string.rep: the string would be longer than 16 MiB
-- exit: 3
local s = string.rep("x", 1e12)
