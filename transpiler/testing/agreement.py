"""`check_vmap` and `check_jit`: batched and compiled functions against the function itself."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import optree

from transpiler.api import functions
from transpiler.arguments.asked import asked
from transpiler.testing.numeric import copied, leaf_path

TOLERANCES = {2: (2e-2, 1e-2), 4: (1e-5, 1e-6), 8: (1e-9, 1e-12)}  # (rtol, atol) by the bytes of a real number


@asked
def check_jit(f: Callable[..., Any], args: Sequence[Any], rtol: float | None = None, atol: float | None = None) -> None:
    """Raise AssertionError unless `jit(f)` gives what `f` gives, with the same structure, shapes and dtypes.

    What either writes into its arguments is compared as well. Tolerances follow the dtype unless given.

    >>> check_jit(lambda x: np.sum(np.sin(x)), (np.ones(3),))
    """
    plain, compiled = copied(tuple(args)), copied(tuple(args))
    got, expected = functions.jit(f)(*compiled), f(*plain)
    name = getattr(f, '__name__', 'function')
    compare(f'jit of {name}', 'result', got, expected, rtol, atol)
    compare(f'jit of {name}', 'args', compiled, plain, rtol, atol)


@asked
def check_vmap(f: Callable[..., Any], args: Sequence[Any], in_axes: Any = 0, out_axes: Any = 0, rtol: float | None = None,
               atol: float | None = None) -> None:
    """Raise AssertionError unless `vmap(f, in_axes, out_axes)` gives what a loop over the examples gives.

    in_axes, out_axes: as for `vmap`. The message says which result, which element, and by how much.

    >>> check_vmap(np.dot, (np.ones(3), np.eye(3)), in_axes=(None, 0))
    """
    got = functions.vmap(f, in_axes, out_axes)(*copied(tuple(args)))     # which says what does not fit
    axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(args)
    spread = [optree.tree_broadcast_prefix(axis, arg, none_is_leaf=True) for axis, arg in zip(axes, args, strict=True)]
    pairs: Any = [optree.tree_map(lambda leaf, axis: (leaf, axis), arg, axis, none_is_leaf=True)
             for arg, axis in zip(args, spread, strict=True)]
    is_pair = lambda node: isinstance(node, tuple) and len(node) == 2 and (node[1] is None or isinstance(node[1], int))
    count = next(np.shape(leaf)[axis] for leaf, axis in optree.tree_leaves(pairs, is_leaf=is_pair) if axis is not None)
    if not count:
        raise ValueError('there is no example: the axes of examples have the size 0')
    results = []
    for number in range(count):
        pick = lambda pair, number=number: pair[0] if pair[1] is None else np.take(pair[0], number, axis=pair[1])[()]
        results.append(f(*copied(tuple(optree.tree_map(pick, pair, is_leaf=is_pair) for pair in pairs))))
    outside = optree.tree_broadcast_prefix(out_axes, results[0], none_is_leaf=True)
    expected = optree.tree_map(lambda axis, *leaves: leaves[0] if axis is None else np.stack(leaves, axis), outside, *results,
                               none_is_leaf=True)
    compare(f'vmap of {getattr(f, "__name__", "function")}', 'result', got, expected, rtol, atol)


def compare(label: str, root: str, got: Any, expected: Any, rtol: float | None, atol: float | None) -> None:
    """Raise AssertionError with the worst element if two pytrees differ in structure, shapes, dtypes or values."""
    leaves, structure = optree.tree_flatten(expected)
    if optree.tree_structure(got) != structure:
        found = optree.tree_structure(got)
        raise AssertionError(f'{label}: {root}\n  got      structure {found}\n  expected structure {structure}')
    for accessor, own, other in zip(structure.accessors(), optree.tree_leaves(got), leaves, strict=True):
        where = f'{label}: {leaf_path(accessor, root)}'
        own, other = np.asarray(own), np.asarray(other)
        for what, left, right in (('shape', own.shape, other.shape), ('dtype', own.dtype, other.dtype)):
            if left != right:
                raise AssertionError(f'{where}\n  got      {what} {left}\n  expected {what} {right}')
        bounds = TOLERANCES.get(other.dtype.itemsize // (2 if other.dtype.kind == 'c' else 1), TOLERANCES[8])
        _compare_values(where, own, other, bounds[0] if rtol is None else rtol, bounds[1] if atol is None else atol)


def _compare_values(where: str, got: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> None:
    if np.allclose(got, expected, rtol, atol, equal_nan=True) or not got.size:
        return
    with np.errstate(invalid='ignore'):
        off = np.abs(np.asarray(got - expected, complex if got.dtype.kind == 'c' else float))
    off = np.where(np.isclose(got, expected, rtol, atol, equal_nan=True), 0.0, np.where(np.isnan(off), np.inf, off))
    worst = np.unravel_index(int(np.argmax(off)), off.shape)
    index = f'[{", ".join(map(str, worst))}]' if worst else ''
    values = f'  got      {got[worst]!r}\n  expected {expected[worst]!r}\n  off by   {off[worst]:.3g}'
    raise AssertionError(f'{where}{index}\n{values}')
