local s = system { name = "s", coordinates = { "x", "y" } }
s:mass { { 1, 0 }, { 0, 1 } }
s:force(function(q, v, t) return { -q.x, -q.y + sin(t) } end)
s:constraint { name = "c", phi = function(q, t) return q.x - q.y end }
return s
