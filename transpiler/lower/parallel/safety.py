"""Loops that several threads may run: all they do is compute, or give up before anything is noticed."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast
import numpy as np

from transpiler.analyses.memory.effects import is_ufunc
from transpiler.core.helpers import Fact, holds_of
from transpiler.core.indices import entries_of, is_dots
from transpiler.core.query import defined, parts, primitive, walk
from transpiler.values.types import Array, Scalar, Type

SAFE = frozenset({'range', 'numpy.empty', 'numpy.zeros', 'python.len', 'python.abs', 'python.min', 'python.max'})
NUMBERS = tuple(f'python.{kind}' for kind in ('float', 'int', 'bool', 'complex'))


def is_harmless(body: Iterable[gast.stmt], types: Mapping[str, Type]) -> bool:
    """Whether lowered statements, of which every index is known to be in range, do nothing but compute numbers in arrays.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT
    >>> import numpy as np
    >>> types = {'x': Array(np.dtype(float), (None,)), 'v': FLOAT, 'i': INT}
    >>> is_harmless(parse('v = np.sin(x[i]); x[i] = v; return v').body[:-1], types)
    True
    >>> is_harmless(parse('x[i:] = 0').body[:1], types)  # the sizes might not fit
    False
    """
    return all(_is_harmless(statement, types) for statement in walk(body))


def has_harmless_iterations(loop: gast.For, types: Mapping[str, Type]) -> bool:
    """Whether the iterations of a counted loop are harmless; how many there are is known before they begin."""
    start, _, step = loop.iter.args
    return is_harmless(loop.body, types) and all(_computes(node, types) for node in (*parts(start), *parts(step)))


def _is_harmless(statement: gast.stmt, types: Mapping[str, Type]) -> bool:
    match statement:
        case gast.Assign(targets=[target], value=value) | gast.AugAssign(target=target, value=value):
            name = defined(statement)
            made = name is None or isinstance(types.get(name), Scalar) or primitive(value) in ('numpy.empty', 'numpy.zeros')
            found = [*parts(target), *parts(value)]
        case gast.If(test=value) | gast.While(test=value) | gast.For(iter=value):
            made, found = True, parts(value)
        case gast.Raise(exc=gast.Name(id=error)):
            return holds_of(error, Fact.BAILS_OUT)  # all runs once more, in order
        case _:
            return isinstance(statement, gast.Break)
    return made and all(_computes(node, types) for node in found)


def _computes(node: gast.AST, types: Mapping[str, Type]) -> bool:
    match node:
        case gast.Subscript(value=gast.Attribute(attr='shape')):
            return True
        case gast.Subscript(value=gast.Name(id=base), slice=index):
            type_, entries = types.get(base), entries_of(index)
            plain = not any(isinstance(entry, gast.Slice) or is_dots(entry) for entry in entries)
            return isinstance(type_, Array) and plain and len(entries) == type_.ndim
        case gast.Call():
            name = primitive(node) or ''
            return name in SAFE or is_cast(name) or is_ufunc(name) or holds_of(name, Fact.COMPUTES)
        case gast.Subscript() | gast.JoinedStr() | gast.Lambda():
            return False
    return True


def is_cast(name: str) -> bool:
    """`np.float32(x)`, which lowered text has for numbers only."""
    kind = getattr(np, name.removeprefix('numpy.'), None) if name.startswith('numpy.') else None
    return isinstance(kind, type) and issubclass(kind, np.generic) or name in NUMBERS
