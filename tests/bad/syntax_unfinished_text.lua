-- expect: {file}:4: unfinished string near '"rod, mass = 1 }'
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod, mass = 1 }
return m
