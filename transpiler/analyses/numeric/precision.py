"""Values that may be wider or narrower at run time than their type says: on one path a float32, or a number of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast
import numpy as np

from transpiler.core.fixpoint import closure
from transpiler.core.query import gives, names, primitive, walk
from transpiler.values.types import FLOAT, Array, Scalar, Tape, Type

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
    plain = perhaps_plain(body, types) & {name for name, _ in given}
    return frozenset(closure((), lambda wide: (name for name, value in given if _widens(value, plain, wide))))


def perhaps_plain(body: Iterable[gast.stmt], types: Mapping[str, Type]) -> frozenset[str]:
    """The names that may hold a number of Python though they are typed as one of NumPy: where it has not yet met any.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... s = 0.0
    ... for i in range(n):
    ...     s = s + item
    ... t = s * item
    ... return t''', types=dict.fromkeys(['s', 't', 'item'], Scalar(np.dtype(float))))
    >>> sorted(perhaps_plain(core.body, core.types))
    ['s']
    """
    given = [(name, value) for statement in walk(body) for name, value in gives(statement) if _is_numpys(types.get(name))]
    return frozenset(closure((), lambda plain: (name for name, value in given if _is_perhaps_plain(value, plain, types))))


def perhaps_narrow(body: Iterable[gast.stmt], types: Mapping[str, Type]) -> frozenset[str]:
    """The names of which some path makes less than their type says: what is computed from it there is less precise too.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> single, double = (Array(np.dtype(t), (None,)) for t in (np.float32, np.float64))
    >>> core = parse('''
    ... s = x
    ... for i in range(n):
    ...     t = s + 0.2
    ...     s = t * y
    ... return s''', types={'x': single, 's': double, 't': double, 'y': double})
    >>> sorted(perhaps_narrow(core.body, core.types))
    ['s', 't']
    >>> core = parse('tape.push(t, x); u = tape.item(t, 0); return u', types={'x': single, 't': Tape(double, True), 'u': double})
    >>> sorted(perhaps_narrow(core.body, core.types))
    ['t', 'u']
    """
    given = [(name, value) for statement in walk(body) for name, value in gives(statement) if _is_float(types.get(name))]
    narrow = {name for name, value in given if _is_less(value, types[name], types)}
    return frozenset(closure(narrow, lambda narrow: (
        name for name, value in given if name not in narrow and _stays_narrow(value, types[name], narrow, types))))


def _is_less(value: gast.expr, type_: Type, types: Mapping[str, Type]) -> bool:
    """Whether a name gets something of another precision than its type has."""
    own = types.get(value.id) if isinstance(value, gast.Name) else FLOAT if isinstance(value, gast.Constant) else None
    held = type_.element if isinstance(type_, Tape) else type_
    if not isinstance(own, (Scalar, Array)) or not isinstance(held, (Scalar, Array)):
        return False
    if isinstance(own, Scalar) and own.weak:  # beside single precision it is single
        return not getattr(held, 'weak', False) and not _is_single(held)
    return own.dtype != held.dtype


def _stays_narrow(value: gast.expr, type_: Type, narrow: set[str], types: Mapping[str, Type]) -> bool:
    """Whether a value comes from a narrow one; arithmetic with one of full precision makes it full."""
    read = set(names(value))
    if primitive(value) == 'numpy.astype' or read.isdisjoint(narrow):
        return False
    return not (isinstance(value, gast.BinOp) and any(_is_full(types.get(n), type_) for n in read - narrow))


def _is_full(own: Type | None, type_: Type) -> bool:
    return isinstance(own, (Scalar, Array)) and own.dtype == getattr(type_, 'dtype', None) and not getattr(own, 'weak', False)


def _is_float(type_: Type | None) -> bool:
    element = type_.element if isinstance(type_, Tape) else type_
    return isinstance(element, (Scalar, Array)) and element.dtype.kind in 'fc'


def _is_single(type_: Type | None) -> bool:
    match type_:
        case Tape(element):
            return _is_single(element)
        case Scalar(dtype, weak):
            return not weak and dtype.itemsize < DOUBLE.get(dtype.kind, 0)
        case Array(dtype):
            return dtype.itemsize < DOUBLE.get(dtype.kind, 0)
    return False


def _is_numpys(type_: Type | None) -> bool:
    element = type_.element if isinstance(type_, Tape) else type_
    return _is_float(type_) and not (isinstance(element, Scalar) and element.weak)


def _is_perhaps_plain(value: gast.expr, plain: set[str], types: Mapping[str, Type]) -> bool:
    """Whether a value may be a number of Python itself."""
    if isinstance(value, gast.Constant) and isinstance(value.value, np.generic):
        return False
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
