-- expect: {file}:5: load is not available in model files; write the function in the file
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
load("return 1")()
return g
