-- expect: {file}:5: too many results to unpack; use the table itself
-- exit: 3
local t = {}
for i = 1, 2e6 do t[i] = i end
local n = select("#", table.unpack(t))
