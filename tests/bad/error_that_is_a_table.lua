-- expect: {file}:3: the file stopped with an error that is not a string; write error("...")
-- exit: 3
error({ code = 7 })
