-- expect: {file}:3: setmetatable is not available in model files; use plain tables and functions
-- exit: 3
local t = setmetatable({}, { __gc = function() while true do end end })
t = nil
