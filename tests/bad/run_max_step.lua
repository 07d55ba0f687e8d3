-- expect: {file}: t = {number} s: max_steps = 1000 steps were not enough; max_step = 1e-06 s limits their size: enlarge it, or raise max_steps (0: no limit)
-- exit: 1
local m = model { name = "test" }
m:body { name = "block", mass = 1, inertia = 0.1, velocity = { 1, 0 } }
m:simulate { duration = 1, max_step = 1e-6, max_steps = 1000 }
return m
