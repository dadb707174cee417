"""Numbers, one at a time or element by element: what Numba has not, or has otherwise than NumPy."""
