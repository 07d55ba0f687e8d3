-- expect: {file}:3: system: 'coordinates' is missing; give their names: { "x", "y" }
-- exit: 3
local s = system { }
return s
