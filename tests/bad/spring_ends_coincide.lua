-- expect: {file}:5: force 's': its ends coincide at t = 0 s, where its force has no direction; keep them apart, or let it vanish there (length = 0)
-- exit: 3
local m = model { name = "spring" }
local a = m:body { name = "a", mass = 1, inertia = 1 }
m:force { "spring", name = "s", m.ground, a, stiffness = 100, length = 0.5 }
m:simulate { duration = 1 }
return m
