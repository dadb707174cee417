"""Typed core -> typed core that Numba compiles with NumPy 2's dtypes.

`lower` writes out what Numba would do otherwise than NumPy (promotion, small integers, layouts) and what it has no form
for (axes of reductions, products of integers or of stacks, arrays of indices), one file per family of primitives.
"""
from collections.abc import Mapping

from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.lower import creation, einsum, elementwise, indexing, joining, picking, products, reductions, shapes
from transpiler.lower.accumulators import accumulate_in_numbers
from transpiler.lower.depth import limit_depth
from transpiler.lower.guards import guarded
from transpiler.lower.memory import in_large_pages
from transpiler.lower.names import separate_names
from transpiler.lower.order import turn_forward
from transpiler.lower.statements import Lowering

__all__ = ['creation', 'einsum', 'elementwise', 'guarded', 'in_large_pages', 'indexing', 'joining', 'lower', 'picking',
           'products', 'reductions', 'separate_names', 'shapes']


def lower(core: Core) -> Core:
    """Rewrite `core` for Numba.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.source.printing import Spelling
    >>> from transpiler.values.types import Array, FLOAT
    >>> x = Array(np.dtype('float32'), (None,))
    >>> lowered = lower(parse('y = x * 2.0; return y', types={'x': x, 'y': x}))
    >>> Spelling().statement(lowered.body[0])
    'y = x * np.float32(2.0)'
    """
    return limit_depth(everywhere(core, lambda one: _lowered(one, core.functions)))


def _lowered(core: Core, functions: Mapping[str, Core]) -> Core:
    core = accumulate_in_numbers(turn_forward(core))
    lowering = Lowering(core, functions)
    body = lowering.block(core.body)
    builder = lowering.builder
    return core.with_body(body, types=dict(builder.types), hints=dict(builder.hints))
