-- expect: {file}:6: body 'rod': at must be a list of numbers; it contains a table
-- exit: 3
local t = {}
for i = 1, 1e5 do t = { t } end
local m = model { name = "test", gravity = { 0, -9.81 } }
m:body { name = "rod", mass = 1, at = t }
return m
