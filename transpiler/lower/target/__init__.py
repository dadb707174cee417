"""What the code must be for Numba: mathematics, allocation, borrowed arrays, names, recursion."""
