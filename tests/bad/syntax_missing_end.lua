-- expect: {file}:7: 'end' expected (to close 'for' at line 4) near <eof>
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
for i = 1, 3 do
  m:body { name = "b" .. i, mass = 1 }
return m
