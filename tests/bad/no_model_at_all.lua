-- expect: {file}: the file describes no model; it must call model { ... } or system { ... } and return that
-- exit: 3
local x = 1 + 1
return x
