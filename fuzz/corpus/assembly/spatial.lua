local g = assembly { name = "spatial", dim = 3 }
local a = g:module { name = "a", model = "a.lua", set = { mass = 2, word = "x", yes = true }, outputs = { "rod.x" } }
local b = g:module { name = "b", fmu = "b.fmu", kind = "cs", strict = true, substeps = 4, ports = { ["tip.x"] = "arm.x" } }
local c = g:module { name = "c", command = { "./c", "--name", "c" } }
g:joint { "spherical", name = "A", a.tip, b.root, frame1 = { at = { 0.1, 0, 0 } } }
g:joint { "universal", name = "B", b.tip, "c.eye", frame1 = { at = { 0, 0, 1 }, rotation = { 0.5, 0, 0 } } }
g:joint { "revolute", g.ground, c.foot, point = { 1, 2, 3 }, axis = { 0, 0, 1 } }
g:force { "spring", name = "s", a.tip, c.eye, stiffness = 10, damping = 1, length = 1 }
g:simulate { gluing = "gauss", scheme = "generalized_alpha", rho = 0.9, step = 1e-3, duration = 1, start = 2 }
return g
