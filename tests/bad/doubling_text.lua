-- expect: {file}:4: a string is longer than 16 MiB; look for one that grows without end
-- exit: 3
local s = "x"
while true do s = s .. s end
