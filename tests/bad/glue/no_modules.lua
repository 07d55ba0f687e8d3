-- expect: {file}: the assembly has no modules; add them with g:module { ... }
-- exit: 3

local g = coupled { name = "bad", dim = 2 }
return g
