-- expect: {file}:4: model: was called before; a file can describe only one model
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local n = model { name = "other" }
return m
