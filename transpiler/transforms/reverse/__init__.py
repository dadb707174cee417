"""Reverse mode: primal and pullback sweep together, for programs, functions and linear maps."""
