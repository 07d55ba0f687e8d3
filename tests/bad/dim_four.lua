-- expect: {file}:3: model: dim = 4; 2 (planar) and 3 (spatial) are possible
-- exit: 3
local m = model { dim = 4 }
return m
