"""Products, decompositions and `einsum` in compiled code."""
