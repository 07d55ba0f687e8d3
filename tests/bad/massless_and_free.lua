-- expect: {file}:4: body 'ghost': its motion along x has neither inertia nor a joint that holds it at t = 0 s; give it mass > 0, or a joint
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
m:body { name = "ghost", mass = 0 }
m:simulate { duration = 1 }
return m
