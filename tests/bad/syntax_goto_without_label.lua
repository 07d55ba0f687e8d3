-- expect: {file}:6: no visible label 'done' for <goto> at line 3
-- exit: 3
goto done
local m = model { name = "test", gravity = { 0, -9.81 } }
return m
