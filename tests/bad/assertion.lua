-- expect: {file}:3: one is not two
-- exit: 3
assert(1 == 2, "one is not two")
