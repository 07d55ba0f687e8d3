-- expect: {file}:6: simulate: unknown formulation 'newton'; known: acceleration_projection, augmented_lagrangian, lagrange, lagrange_dense, lagrange_kkt, lagrange_schur, maggi, nullspace, penalty, projective, udwadia_kalaba, udwadia_phohomsiri, udwadia_schutte, udwadia_wanichanon
-- exit: 3
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }
m:simulate { duration = 1, formulation = "newton" }
return m
