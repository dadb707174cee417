"""The rules of all supported functions; importing this package enters them in the registry."""
from transpiler.rules import (
    arithmetic,
    bessel,
    comparison,
    complex_parts,
    creation,
    decompositions,
    defined,
    einsum,
    exponential,
    fourier,
    gamma,
    indexing,
    joining,
    linalg,
    products,
    reductions,
    rounding,
    scans,
    schedule,
    selection,
    shape,
    special,
    spectra,
    trigonometric,
)

__all__ = [
    'arithmetic', 'bessel', 'comparison', 'complex_parts', 'creation', 'decompositions', 'defined', 'einsum', 'exponential',
    'fourier', 'gamma', 'indexing', 'joining', 'linalg', 'products', 'reductions', 'rounding', 'scans', 'schedule',
    'selection', 'shape', 'special', 'spectra', 'trigonometric',
]
