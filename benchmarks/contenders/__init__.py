"""Beside JAX, PyTorch, plain NumPy and hand-written Numba, in one run: `python -m benchmarks.contenders`.

One file per contender, each with a dictionary by the name of the row; what one of them cannot do is missing there.
"""
