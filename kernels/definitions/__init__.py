"""NumPy functions written in the transpiler's own language: they are inlined, so every transformation knows them.

Each behaves as the NumPy function of its name, for real numbers. Parameters are NumPy's, as far as they are supported.
"""
