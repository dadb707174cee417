"""What the code must be for Numba: which helpers it calls, where arrays come from, borrowed arrays, names, recursion."""
