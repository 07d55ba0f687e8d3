-- expect: {file}:6: module 'm4097': an assembly has at most 4096 modules
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
local i = 0
while true do i = i + 1; g:module { name = "m" .. i, program = "x.so" } end
