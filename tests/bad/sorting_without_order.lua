-- expect: {file}:5: invalid order function for sorting; it must be true only if a comes before b
-- exit: 3
local t = {}
for i = 1, 100 do t[i] = i % 7 end
table.sort(t, function(a, b) return true end)
