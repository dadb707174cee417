"""Tangents and cotangents that callers give: made to fit the values that they belong to, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import optree

FLOAT0 = np.dtype([('float0', 'V')])  # JAX's tangent of an integer


def fitted(given: Any, like: Any, what: str) -> Any:
    """`given` in the structure, shapes and dtypes of `like`; None where `like` holds no float.

    what: names it in errors. Raises TypeError where structure or kind differ, ValueError where shapes do.

    >>> fitted((1, [2.0, None]), (np.float32(0), [0.5, 3]), 'the tangent')
    (np.float32(1.0), [2.0, None])
    >>> fitted(np.ones(2), np.ones(3), 'the tangent')
    Traceback (most recent call last):
    ValueError: the tangent has the shape (2,), its primal (3,)
    """
    expected, structure = optree.tree_flatten(like, none_is_leaf=True)
    try:
        parts = structure.flatten_up_to(given)
    except ValueError as error:
        raise TypeError(f'{what} has not the structure of its primal: {error}') from None
    paths = optree.tree_paths(like, none_is_leaf=True)
    names = [what if not path else f'{what} at {"".join(f"[{key!r}]" for key in path)}' for path in paths]
    return optree.tree_unflatten(structure, map(_leaf, parts, expected, names))


def _leaf(given: Any, like: Any, what: str) -> Any:
    if not is_float(like):
        if given is None or _is_nothing(given):
            return None
        raise TypeError(f'{what} is given, but its primal is no float, so it has none: pass None')
    if given is None:
        raise TypeError(f'{what} is missing: its primal is a float; pass zeros')
    array = np.asarray(given)
    if array.shape != np.shape(like):
        raise ValueError(f'{what} has the shape {array.shape}, its primal {np.shape(like)}')
    if array.dtype.kind not in 'fciub' or array.dtype.kind == 'c' and np.asarray(like).dtype.kind != 'c':
        raise TypeError(f'{what} is of dtype {array.dtype}, its primal of {np.asarray(like).dtype}')
    if isinstance(like, np.ndarray):
        return array.astype(like.dtype, copy=False)
    return like.dtype.type(given) if isinstance(like, np.generic) else type(like)(given)


def _is_nothing(given: Any) -> bool:
    return getattr(given, 'dtype', None) == FLOAT0


def is_float(leaf: Any) -> bool:
    """Whether a leaf is a float or complex number, or an array of them."""
    return isinstance(leaf, (float, complex, np.ndarray, np.generic)) and np.asarray(leaf).dtype.kind in 'fc'


def holds_floats(tree: Any) -> bool:
    """Whether there is anything in a pytree to differentiate by."""
    return any(map(is_float, optree.tree_leaves(tree)))
