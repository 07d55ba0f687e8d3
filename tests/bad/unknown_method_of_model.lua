-- expect: {file}:4: a model has no 'boddy'; did you mean 'body'?
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
m:boddy { name = "rod", mass = 1 }
return m
