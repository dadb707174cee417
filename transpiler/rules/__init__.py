"""The rules of all supported functions; importing this package enters them in the registry."""
from transpiler.rules import (
    arithmetic,
    comparison,
    complex_parts,
    creation,
    defined,
    einsum,
    exponential,
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
    trigonometric,
)

__all__ = [
    'arithmetic', 'comparison', 'complex_parts', 'creation', 'defined', 'einsum', 'exponential', 'indexing',
    'joining', 'linalg', 'products', 'reductions', 'rounding', 'scans', 'schedule', 'selection', 'shape', 'special',
    'trigonometric',
]
