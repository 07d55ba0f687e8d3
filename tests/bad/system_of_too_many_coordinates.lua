-- expect: {file}:5: system: 60000 coordinates are too many; at most 10000 are possible
-- exit: 3
local names = {}
for i = 1, 60000 do names[i] = "x" .. i end
local s = system { coordinates = names }
return s
