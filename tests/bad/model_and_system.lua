-- expect: {file}:4: system: a model or system was described before; a file has one
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local s = system { coordinates = { "x" } }
return m
