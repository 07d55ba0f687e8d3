-- Two masses on springs, each a program of its own (examples/modules/mass_spring.c), glued into one:
-- they move as a mass of 3 kg on a spring of 60 N/m.
--
--     cc -shared -fPIC -I include examples/modules/mass_spring.c -o models/glue/mass_spring.so

local library = parameter("library", "mass_spring.so")
local g = coupled { name = "two masses", dim = 2 }
local left = g:module { name = "left", program = library, set = { m = 1, k = 30, q = 0.1 } }
local right = g:module { name = "right", program = library, set = { m = 2, k = 30, q = 0.1 } }

g:joint { "revolute", name = "weld", left.mass, right.mass }
g:simulate { step = 1e-3, duration = 2, output_step = 0.1 }
return g
