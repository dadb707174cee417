"""Run-time helpers that generated code may import; they need only NumPy, SciPy and Numba."""
