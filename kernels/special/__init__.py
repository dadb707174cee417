"""SciPy's special functions for compiled code, by family."""
