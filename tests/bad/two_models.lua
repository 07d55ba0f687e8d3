-- expect: {file}:4: model: a file can describe only one model, system or assembly; put others into files of their own
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local n = model { name = "other" }
return m
