local m = model { name = "Mühle" }
local räd = 1
return m
