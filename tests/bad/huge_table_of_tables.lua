-- expect: {file}:5: the file needs too much memory (the limit is 512 MiB); look for a table that grows without end
-- exit: 3
-- slow: yes
local t = {}
while true do t = { t } end
