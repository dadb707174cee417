"""Values that may be wider at run time than their type says: a Python float on one path, a float32 on another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast

from transpiler.core.query import gives, names, primitive, walk
from transpiler.values.types import Array, Scalar, Tape, Type

DOUBLE = {'f': 8, 'c': 16}


def perhaps_wide(body: Iterable[gast.stmt], types: Mapping[str, Type]) -> frozenset[str]:
    """The names that may hold double precision though they are typed as single.

    Such a number is typed as what it becomes when it meets others. That it has not yet met any shows where NumPy makes
    something of it alone: `np.full(2, 1.0)`, `np.sin(1.0)`.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> single, row = Scalar(np.dtype(np.float32)), Array(np.dtype(np.float32), (None,))
    >>> core = parse('''
    ... s = 0.0
    ... for i in range(n):
    ...     s = s + item
    ... z = s * y
    ... t = np.sin(s)
    ... u = t * y
    ... return u''', types={'s': single, 't': single, 'item': single, 'y': row, 'z': row, 'u': row})
    >>> sorted(perhaps_wide(core.body, core.types))
    ['t', 'u']
    """
    given = [(name, value) for statement in walk(body) for name, value in gives(statement) if _is_single(types.get(name))]
    plain: set[str] = set()
    wide: set[str] = set()
    while True:
        found = {name for name, value in given if name not in plain and _is_perhaps_plain(value, plain, types)}
        wider = {name for name, value in given if name not in wide and _widens(value, plain, wide)}
        if not found and not wider:
            return frozenset(wide)
        plain |= found
        wide |= wider


def _is_single(type_: Type | None) -> bool:
    match type_:
        case Tape(element):
            return _is_single(element)
        case Scalar(dtype, weak):
            return not weak and dtype.itemsize < DOUBLE.get(dtype.kind, 0)
        case Array(dtype):
            return dtype.itemsize < DOUBLE.get(dtype.kind, 0)
    return False


def _is_perhaps_plain(value: gast.expr, plain: set[str], types: Mapping[str, Type]) -> bool:
    """Whether a value may be a number of Python itself."""
    if isinstance(value, gast.Call) and not (primitive(value) or '').startswith(('python.', 'tape.')):
        return False
    return all(name in plain or isinstance(type_ := types.get(name), Scalar) and type_.weak for name in names(value))


def _widens(value: gast.expr, plain: set[str], wide: set[str]) -> bool:
    """Whether a value comes from a wide one, or from what a function makes of a number of Python."""
    name = primitive(value) or ''
    if name == 'numpy.astype':
        return False
    makes = isinstance(value, gast.Call) and not name.startswith(('python.', 'tape.'))
    return any(n in wide or makes and n in plain for n in names(value))
