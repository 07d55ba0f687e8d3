-- expect: {file}:4: string.find is not available in model files; compare whole strings with ==, or cut them with string.sub
-- exit: 3
local s = ("a"):rep(1000)
local x = s:find((".-"):rep(20) .. "b")
