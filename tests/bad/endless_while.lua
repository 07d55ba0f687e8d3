-- expect: {file}:4: the file runs too long (more than 500 million instructions); look for a loop that does not end
-- exit: 3
-- slow: yes
while true do end
