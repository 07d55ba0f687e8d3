-- expect: {file}:3: first second
-- exit: 3
error("first\nsecond")
