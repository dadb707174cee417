"""Which names are views of other arrays, and of which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import gast
import numpy as np

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.effects import is_fresh, memory_reads
from transpiler.analyses.memory.memory_order import by_order, in_c_order
from transpiler.core.fixpoint import closure
from transpiler.core.language import Core
from transpiler.core.query import callee, defined, names, primitive
from transpiler.rules.base.registry import RULES
from transpiler.values.types import Array, Scalar

Views = Mapping[str, gast.expr]
CONVERTING = frozenset({'numpy.asarray', 'numpy.ascontiguousarray'})  # a copy if the dtype is another one
READ_ONLY = frozenset({'numpy.broadcast_to', 'numpy.diagonal'})  # NumPy lets nobody write through these views
NO_VIEWS = frozenset({'numpy.broadcast_to', 'numpy.imag'})  # the cotangent of one is not the same view of a cotangent


def views_of(core: Core) -> Views:
    """The names that are certainly views: assigned once, by an expression that shows the memory of another array.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyzw', Array(np.dtype(float), (None,)))
    >>> core = parse('y = x[1:]; z = np.transpose(x); w = np.exp(x); return y', types=types)
    >>> sorted(views_of(core))
    ['y', 'z']
    """
    found: dict[str, list[gast.expr]] = {}
    for statement in core.statements:
        name = defined(statement)
        if name is not None:
            found.setdefault(name, []).append(getattr(statement, 'value', statement))
    single = {n: v[0] for n, v in found.items() if len(v) == 1 and isinstance(core.types.get(n), Array)}
    single = {name: value for name, value in single.items() if name not in core.inputs}
    return {name: value for name, value in single.items() if _is_view(core, name, value)}


@memoised
def transposes(core: Core) -> Mapping[str, str]:
    """Of which matrix a name is the transpose; both are assigned once, so that it is true wherever both are read.

    >>> from transpiler.core.text import parse
    >>> import numpy as np
    >>> types = dict.fromkeys('xyz', Array(np.dtype(float), (None, None)))
    >>> dict(transposes(parse('y = np.transpose(x); z = np.transpose(y, (0, 1)); return z', params='x', types=types)))
    {'y': 'x'}
    """
    times = counts(core.body) + Counter(core.inputs)
    found = {}
    for name, value in views_of(core).items():
        match value:
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=matrix)], keywords=[]) if times[matrix] == 1:
                found[name] = matrix
    return found


def _is_view(core: Core, name: str, value: gast.expr) -> bool:
    match value:
        case gast.Name():
            return True
        case gast.Subscript(value=gast.Name(id=base)) if isinstance(core.types.get(base), tuple):
            return False  # one of several results
        case gast.Subscript(value=gast.Name(), slice=index):
            return all(isinstance(core.types.get(name), Scalar) for name in names(index))
        case gast.Call(args=[gast.Name(id=base), *_]):
            rule = RULES.get(primitive(value) or '')
            if rule is None or not rule.view or rule.name in NO_VIEWS or isinstance(core.types.get(base), Scalar):
                return False
            if rule.name in CONVERTING and _dtype(core, name) != _dtype(core, base):
                return False
            if is_reshaped_vector(core, value):
                return True
            return not by_order(value) or not {k.arg for k in value.keywords} & {'order', 'copy'} and base in in_c_order(core)
    return False


def is_reshaped_vector(core: Core, call: gast.Call) -> bool:
    """Whether this is a view however the memory lies: items of a vector at equal distances stay so in another shape."""
    match call:
        case gast.Call(func=gast.Name(id='numpy.reshape'), args=[gast.Name(id=base), *_], keywords=keywords):
            return getattr(core.types.get(base), 'ndim', None) == 1 and all(k.arg != 'copy' for k in keywords)
    return False


def is_writable(name: str, views: Views) -> bool:
    """Whether NumPy lets the array be written through this view of it."""
    return all(primitive(views[view]) not in READ_ONLY for view in (name, *bases(name, views)) if view in views)


@memoised
def read_only(core: Core) -> frozenset[str]:
    """The names that are, in one of their assignments, views that NumPy lets nobody write through.

    >>> from transpiler.core.text import parse
    >>> sorted(read_only(parse('d = np.diagonal(x); e = d[1:]; f = e + 1.0; return f')))
    ['d', 'e']
    """
    given = _given(core)
    found = {name for name, value in given if primitive(value) in READ_ONLY}
    shown = [(name, value) for name, value in given if not isinstance(core.types.get(name), Scalar)] if found else []
    return _read_from(found, shown, lambda name, value: _is_view(core, name, value))


@memoised
def perhaps_read_only(core: Core) -> frozenset[str]:
    """The same, and the names that are such views only as the items lie, or as a function of the program has it.

    >>> from transpiler.core.text import parse
    >>> core = parse('d = np.diagonal(x); e = np.reshape(d, (3, 1)); f = e + 1.0; return f')
    >>> sorted(read_only(core)), sorted(perhaps_read_only(core))
    (['d'], ['d', 'e'])
    """
    given = _given(core)
    giving = {name for name, function in core.functions.items() if any(primitive(v) in READ_ONLY for _, v in _given(function))}
    found = {name for name, value in given if primitive(value) in READ_ONLY or callee(value) in giving}
    return _read_from(found, [(name, value) for name, value in given if not is_fresh(value)] if found else [])


def _given(core: Core) -> list[tuple[str, gast.expr]]:
    return [(name, s.value) for s in core.statements if isinstance(s, gast.Assign) and (name := defined(s)) is not None]


def _read_from(
    found: set[str], shown: Sequence[tuple[str, gast.expr]], shows: Callable[[str, gast.expr], bool] = lambda name, value: True
) -> frozenset[str]:
    """Some names, and those that show their memory: the ones that have such values, and of them those that `shows` is true of."""
    return frozenset(closure(found, lambda found: (
        name for name, value in shown if name not in found and memory_reads(value) & found and shows(name, value))))


def _dtype(core: Core, name: str) -> np.dtype | None:
    return getattr(core.types.get(name), 'dtype', None)


def bases(name: str, views: Views) -> Iterable[str]:
    """The names that a view is taken from, nearest first.

    >>> from transpiler.core.text import expression
    >>> list(bases('z', {'y': expression('x'), 'z': expression('y[1:]')}))
    ['y', 'x']
    """
    while name in views:
        match views[name]:
            case gast.Name(id=name) | gast.Subscript(value=gast.Name(id=name)) | gast.Call(args=[gast.Name(id=name), *_]):
                yield name
