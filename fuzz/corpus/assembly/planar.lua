local g = assembly { name = "planar", dim = 2 }
local a = g:module { name = "a", model = "a.lua" }
local b = g:module { name = "b", program = "b.so" }
g:joint { "prismatic", name = "slide", a.p, b.p, frame1 = { at = { 1, 0 }, angle = 0.3 }, frame2 = { angle = 1 } }
g:joint { "distance", name = "rod", a["q"], b["q"], length = 1.5 }
g:joint { "fixed", b.r, g.ground, point = { 1, 0 } }
g:force { "spring", a.p, g.ground, stiffness = 30, length = 0 }
g:force { a.p, law = function(b, t) return -b.vx, 0 end }
g:simulate { gluing = "waveform", window = 5, sweeps = 3, scheme = "bdf2", step = 0.01 }
return g
