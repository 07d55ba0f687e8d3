-- expect: {file}:3: model: name: the text contains a control character, number 27; line ends, tabs and the like cannot be in a text
-- exit: 3
local m = model { name = "te\27[2Jst", gravity = { 0, -9.81 } }
return m
