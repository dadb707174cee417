"""The rules of all supported functions; importing this package enters them in the registry."""
from transpiler.rules import defined, schedule
from transpiler.rules.arrays import creation, fourier, indexing, joining, reductions, scans, selection, shape
from transpiler.rules.elementwise import (
    arithmetic,
    comparison,
    complex_parts,
    exponential,
    rounding,
    trigonometric,
)
from transpiler.rules.linear_algebra import decompositions, einsum, products, spectra
from transpiler.rules.linear_algebra import systems as linalg

__all__ = [
    'arithmetic', 'comparison', 'complex_parts', 'creation', 'decompositions', 'defined', 'einsum', 'exponential',
    'fourier', 'indexing', 'joining', 'linalg', 'products', 'reductions', 'rounding', 'scans', 'schedule',
    'selection', 'shape', 'spectra', 'trigonometric',
]
