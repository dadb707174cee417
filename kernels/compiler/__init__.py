"""How Numba's typed IR becomes LLVM's, in fewer words than Numba takes.

What numbers, elements of arrays and loops over ranges become is written here; all else stays Numba's. A third of the text is
built, read and optimised in a third of the time.
"""
