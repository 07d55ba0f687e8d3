-- expect: {file}:6: force 'law': not a finite number at t = 0.3 s; check its function or law there; no step is possible after t = 0.3 s
-- exit: 1
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:force { name = "law", rod, force = function(b, t) return { log(0.3 - t), 0 } end }
m:simulate { duration = 1 }
return m
