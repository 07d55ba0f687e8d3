-- expect: {file}:4: system: a file can describe only one model, system or assembly; put others into files of their own
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local s = system { coordinates = { "x" } }
return m
