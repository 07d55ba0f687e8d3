-- expect: {file}:3: syntax error near 'numpy'
-- exit: 3
import numpy as np
model = Model()
