-- expect: {file}:5: attempt to index a nil value (field 'integer index')
-- exit: 3
local s = system { name = "no parameters", coordinates = { "x" } }
local a = {}
s:mass(function(q) return { { a[0][1] } } end)
return s
