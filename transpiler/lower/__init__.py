"""Typed core -> typed core that Numba compiles with NumPy 2's dtypes.

Lowering writes out what Numba would do otherwise than NumPy (promotion, small integers, layouts) and what it has no form
for (axes of reductions, products of integers or of stacks, arrays of indices), one file per family of primitives.
"""
from transpiler.lower.linear_algebra import decompositions, einsum, products
from transpiler.lower.pipeline import finish, lower, lowered_hopefully
from transpiler.lower.primitives import (
    composed,
    creation,
    elementwise,
    fourier,
    indexing,
    joining,
    reductions,
    selection,
    shapes,
    spaced,
    special,
)
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target

__all__ = ['CPU', 'Target', 'composed', 'creation', 'decompositions', 'einsum', 'elementwise', 'finish', 'fourier', 'indexing',
           'joining', 'lower', 'lowered_hopefully', 'products', 'reductions', 'selection', 'shapes', 'spaced', 'special']
