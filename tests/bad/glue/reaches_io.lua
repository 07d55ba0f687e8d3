-- expect: {file}:5: io is not available in model files; model files cannot load other files; pass values with parameter("N", 1) and --set N=2
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
io.open("/etc/passwd")
return g
