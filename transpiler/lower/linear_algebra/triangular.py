"""Matrices known to be triangular by how they were made: equations with them need no factors."""
from __future__ import annotations

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.core.language import Core
from transpiler.core.query import all_written, defined

LOWER, UPPER = 'lower', 'upper'
OTHER = {LOWER: UPPER, UPPER: LOWER}
MADE = {'numpy.linalg.cholesky': LOWER, 'numpy.tril': LOWER, 'numpy.triu': UPPER}
TURNED = 'numpy.swapaxes', 'numpy.transpose'


def triangle_of(core: Core, node: gast.expr) -> str | None:
    """The triangle outside of which a matrix, or each of a stack, is zero; None if that is not known.

    >>> import numpy as np
    >>> from transpiler.core.build import name
    >>> from transpiler.core.text import parse
    >>> core = parse('c = np.linalg.cholesky(a); t = np.swapaxes(c, -1, -2); b = np.tril(a); b[0, 1] = 1; return t, b')
    >>> triangle_of(core, name('c')), triangle_of(core, name('t')), triangle_of(core, name('b'))
    ('lower', 'upper', None)
    """
    if not isinstance(node, gast.Name) or any(memory(core).may_alias(node.id, other) for other in all_written(core.body)):
        return None
    made = [s.value for s in core.statements if defined(s) == node.id]
    match made:
        case [gast.Name() as other]:
            return triangle_of(core, other)
        case [gast.Call(func=gast.Name(id=name), args=[_], keywords=[])] if name in MADE:
            return MADE[name]
        case [gast.Call(func=gast.Name(id=name), args=[gast.Name() as other, *axes])] if name in TURNED:
            found = triangle_of(core, other) if _turns_matrices(core, name, other, axes) else None
            return OTHER[found] if found else None
        case [gast.Subscript(value=gast.Name(id=parts), slice=gast.Constant(value=1))]:
            whole = [s.value for s in core.statements if defined(s) == parts]
            match whole:
                case [gast.Call(func=gast.Name(id='numpy.linalg.qr'))]:
                    return UPPER
    return None


def _turns_matrices(core: Core, name: str, array: gast.Name, axes: list[gast.expr]) -> bool:
    """Whether the last two axes, and no others, change places."""
    if name == 'numpy.transpose':
        return not axes and getattr(core.types.get(array.id), 'ndim', None) == 2
    return {gast.unparse(axis).strip() for axis in axes} == {'-1', '-2'}
