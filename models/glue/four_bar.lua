-- The parallel four-bar linkage of paper 002: three links in relative angles are one program
-- (examples/modules/chain.c), glued to ground where the loop was cut. Exact: q1 = pi/2 + 2 pi t -
-- t^3 / 81.
--
--     cc -shared -fPIC -DMODULE_LIBRARY -I include examples/modules/chain.c -o models/glue/chain.so -lm

local g = coupled { name = "parallel four-bar", dim = 2 }
local chain = g:module { name = "chain", program = parameter("library", "chain.so"), outputs = { "q1" } }

g:joint { "revolute", name = "cut", g.ground, chain["end"], point = { 2, 0 } }
g:simulate { step = 0.4, duration = 16, tolerance = 1e-8, output_step = 0.4 }
return g
