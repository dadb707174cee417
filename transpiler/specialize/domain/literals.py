"""Python objects as expressions, and how functions and types are called in messages."""

from __future__ import annotations

import sys
from typing import Any

import gast
import numpy as np

from transpiler.arguments.words import said
from transpiler.core import build
from transpiler.core.links import link
from transpiler.errors import UnsupportedFunction
from transpiler.rules.base.callables import is_callable_object
from transpiler.rules.base.lookup import nearest
from transpiler.rules.base.missing import missing, public_name
from transpiler.values.types import Array, Scalar, Type


def blank_number(type_: Scalar) -> gast.Constant:
    """What a variable of that type holds as long as its name has no value; one of NumPy's says that it stands for its dtype.

    >>> from transpiler.core.links import links
    >>> number = blank_number(Scalar(np.dtype(np.uint8)))
    >>> number.value, str(links(number).blank), links(blank_number(Scalar(np.dtype(float), True))).blank
    (0, 'uint8', None)
    """
    number = build.constant(type_.dtype.type(0).item())
    if not type_.weak:
        link(number, blank=Scalar(type_.dtype))
    return number


def as_kind(node: gast.expr, type_: Type) -> gast.expr:
    """A literal on its way into a variable of `type_`: `1` becomes `1.0` where floats join it, and is marked as what it was.

    Where complex numbers join it, it stays a float: functions have other domains for those.
    """
    kinds = {'f': float, 'c': float, 'i': int}
    if isinstance(node, gast.Constant) and isinstance(type_, (Scalar, Array)) and isinstance(node.value, (bool, int, float)):
        changed = build.constant(kinds.get(type_.dtype.kind, type(node.value))(node.value))
        return link(changed, integer=isinstance(node.value, int))
    return node


def unknown_function(value: Any, origin) -> UnsupportedFunction:
    if not callable(value):
        what = f'the {type(value).__name__} {said(value)} cannot be called'
        return UnsupportedFunction(what, origin, why='Python raises TypeError')
    if hasattr(value, '__transpiler_rule__'):
        what = f'`{value.__name__}` is called in a function that is transformed'
        better = 'make the function with a rule outside'
        return UnsupportedFunction(what, origin, why='rules are given once, before', instead=better)
    name = public_name(type(value) if is_callable_object(value) else value)
    if known := missing(name):
        return UnsupportedFunction(f'`{shown(name)}` is not supported', origin, why=known.why, instead=known.instead)
    close = nearest(name)
    perhaps = f'perhaps `{shown(close)}`; ' if close else ''
    return UnsupportedFunction(
        f'`{shown(name)}` is not supported',
        origin,
        why='it has no rule, no definition and no Python source to read',
        instead=f'{perhaps}docs/adding_a_function.md shows how to add it',
    )


def shown(name: str) -> str:
    return (
        name.replace('numpy.', 'np.', 1) if name.startswith('numpy.') else name.removeprefix('python.').removeprefix('builtins.')
    )


def described(type_: Any) -> str:
    return f'({", ".join(map(described, type_))})' if isinstance(type_, tuple) else str(type_)


def same_value(left: Any, right: Any) -> bool:
    return left is right or (type(left) is type(right) and not isinstance(left, np.ndarray) and left == right)


def class_at(place: str) -> Any:
    """What is found at a place such as `package.module:Outer.Error` of the running program, or None.

    >>> class_at('builtins:ValueError')
    <class 'ValueError'>
    """
    module, _, path = place.partition(':')
    found: Any = sys.modules.get(module)
    for name in path.split('.'):
        found = getattr(found, name, None)
    return found
