-- expect: {file}:5: io is not available in model files; a model file stands alone; values come with parameter("N", 1) and --set N=2
-- exit: 3

local g = assembly { name = "bad", dim = 2 }
io.open("/etc/passwd")
return g
