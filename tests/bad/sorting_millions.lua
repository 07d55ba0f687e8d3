-- expect: {file}:5: table.sort: 5000000 entries are too many; at most 1000000 are possible
-- exit: 3
local t = {}
for i = 1, 5e6 do t[i] = i * 7919 % 5000011 end
table.sort(t)
