-- expect: {file}:4: pcall is not available in model files; errors end the file; test before with if
-- exit: 3
local function loop() while true do end end
while true do pcall(loop) end
