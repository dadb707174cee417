"""What a caller gives as a tangent or a cotangent: checked against the primal, and in its types."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpiler.arguments.words import spoken
from transpiler.specialize.domain.abstraction import leaves_of
from transpiler.specialize.domain.pytrees import attributes, made
from transpiler.values.numbers import is_number

FLOAT0 = np.dtype([('float0', 'V')])  # what JAX gives as the tangent of an integer


def as_tangent(primal: Any, given: Any, name: str, kind: str = 'tangent') -> Any:
    """`given` as the tangent of `name`, whose value is `primal`; `kind` says in errors what else it is.

    It has the structure and the shapes of the primal; numbers are converted to its dtypes. None, anywhere, stands for zeros.
    What is no float has None for its tangent. Raises TypeError for another structure or kind of number, ValueError for
    another shape.

    >>> as_tangent({'w': np.ones(2, np.float32), 'n': 3}, {'w': np.array([1, 0]), 'n': None}, 'params')
    {'w': array([1., 0.], dtype=float32), 'n': None}
    >>> as_tangent(2.0, np.ones(3), 'x')
    Traceback (most recent call last):
    ValueError: the tangent of `x` has the shape (3,), but `x` has the shape ()
    """
    if is_number(primal) or isinstance(primal, np.ndarray):
        return _leaf(primal, given, name, kind)
    if isinstance(primal, dict):
        _check(given is None or isinstance(given, dict) and given.keys() == primal.keys(), given, name, primal, kind)
        return {key: as_tangent(part, given and given[key], f'{name}[{key!r}]', kind) for key, part in primal.items()}
    parts = attributes(primal)
    if parts is not None:
        _check(given is None or type(given) is type(primal), given, name, primal, kind)
        pick = lambda key: None if given is None else getattr(given, key)
        made_of = {k: v if fixed else as_tangent(v, pick(k), f'{name}.{k}', kind) for k, (v, fixed) in parts.items()}
        return made(type(primal), made_of)
    if isinstance(primal, (tuple, list)):
        _check(given is None or type(given) is type(primal) and len(given) == len(primal), given, name, primal, kind)
        items = [None] * len(primal) if given is None else given
        return type(primal)(as_tangent(p, g, f'{name}[{k}]', kind) for k, (p, g) in enumerate(zip(primal, items, strict=True)))
    return None


def _check(fits: bool, given: Any, name: str, primal: Any, kind: str) -> None:
    if not fits:
        raise TypeError(f'the {kind} of `{name}` is {_described(given)}, but `{name}` is {_described(primal)}')


def _described(value: Any) -> str:
    match value:
        case dict():
            return f'a dict with the keys {", ".join(map(repr, value))}'
        case tuple() | list() if attributes(value) is None:
            return f'a {type(value).__name__} of length {len(value)}'
        case np.ndarray():
            return f'an array of dtype {value.dtype}'
    return spoken(type(value).__name__)


def _leaf(primal: Any, given: Any, name: str, kind: str) -> Any:
    own = np.asarray(primal)
    if own.dtype.kind not in 'fc':
        if given is None or getattr(given, 'dtype', None) == FLOAT0:
            return None
        if name == 'out' and type(primal) is int and is_number(given):
            return None  # of an empty sum of Python's, where others give floats: it depends on nothing
        raise TypeError(f'`{name}` is {_described(primal)}, which has no {kind}: give None')
    if given is None:
        given = np.zeros_like(own)
    value = np.asarray(given) if not isinstance(given, (tuple, list, dict)) else np.empty(0, object)
    if value.dtype.kind not in ('iufc' if own.dtype.kind == 'c' else 'iuf'):
        raise TypeError(f'the {kind} of `{name}` is {_described(given)}, but `{name}` is {_described(primal)}')
    if value.shape != own.shape:
        raise ValueError(f'the {kind} of `{name}` has the shape {value.shape}, but `{name}` has the shape {own.shape}')
    if isinstance(primal, np.ndarray):
        return value.astype(own.dtype, copy=False)
    return own.dtype.type(value) if isinstance(primal, np.generic) else type(primal)(value)


def holds_floats(value: Any) -> bool:
    """Whether there is anything in an argument to differentiate by."""
    return any(np.asarray(leaf).dtype.kind in 'fc' for leaf in leaves_of(value))
