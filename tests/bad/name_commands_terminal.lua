-- expect: {file}:4: body: the name contains a control character, number 155; line ends, tabs and the like cannot be in a name
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
m:body { name = "rod\xc2\x9b2J", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
return m
