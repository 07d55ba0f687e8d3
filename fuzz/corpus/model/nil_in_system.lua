local s = system { name = "no parameters", coordinates = { "x" } }
local a = {}
s:mass(function(q) return { { a[0][1] } } end)
return s
