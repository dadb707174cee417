"""NumPy functions that make, arrange and pick from arrays, in the language."""
