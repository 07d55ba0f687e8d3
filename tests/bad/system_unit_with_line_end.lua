-- expect: {file}:3: system: coordinate: the unit contains a control character, number 10; line ends, tabs and the like cannot be in a unit
-- exit: 3
local s = system { coordinates = { "x" }, units = { x = "m\nnothing is off" } }
s:mass(function(q, t, p) return { 1 } end)
return s
