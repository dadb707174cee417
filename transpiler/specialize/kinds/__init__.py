"""Kinds of numbers: Python's or NumPy's, of which dtype, where paths differ in it."""
