"""Numeric differentiation over pytrees: sixth-order central differences, an element or a direction at a time."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import optree

# the stencil's error is about step**6, that of rounding 1e-16 / step
STEP = 2e-3
WIDE = {'f': np.dtype(np.float64), 'c': np.dtype(np.complex128)}


@dataclass(frozen=True)
class Slope:
    """A numeric derivative, and its distance from the one with a shorter stencil: how far to trust it."""

    value: complex
    error: float


def leaf_path(accessor: Any, root: str) -> str:
    """How Python writes the way from the argument `root` to a leaf.

    >>> [leaf_path(a, 'params') for a in optree.tree_accessors({'w': 1.0, 'b': [2.0]})]
    ["params['b'][0]", "params['w']"]
    """
    return accessor.codify(root)


def is_inexact(leaf: Any) -> bool:
    """Whether a leaf is a float or complex number, or an array of them.

    >>> [is_inexact(leaf) for leaf in (1.0, 2, np.ones(2), np.arange(3), 'mean')]
    [True, False, True, False, False]
    """
    return np.asarray(leaf).dtype.kind in 'fc'


def numbers_of(tree: Any) -> Any:
    """A pytree without what has no derivative: text, flags and functions, which gradients have None for.

    >>> numbers_of({'w': 1.0, 'mode': 'fast'})
    {'w': 1.0, 'mode': None}
    """
    return optree.tree_map(lambda leaf: leaf if _moves(leaf) else None, tree)


def _moves(leaf: Any) -> bool:
    return np.asarray(leaf).dtype.kind in 'iufc'


def copied(tree: Any) -> Any:
    """A pytree with its arrays copied, for a function that may write into them."""
    return optree.tree_map(lambda leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, tree)


def widened(tree: Any) -> Any:
    """A copy of a pytree with single precision raised to double: differences of float32 values are mostly rounding."""
    def widen(leaf: Any) -> Any:
        if not isinstance(leaf, (np.ndarray, np.generic)):
            return leaf
        wider: np.dtype = WIDE.get(leaf.dtype.kind, leaf.dtype)
        return np.array(leaf, dtype=wider) if isinstance(leaf, np.ndarray) else wider.type(leaf)
    return optree.tree_map(widen, tree)


def moved(leaf: Any, direction: np.ndarray) -> Any:
    """`leaf + direction`, of the kind of `leaf`: a Python number, a NumPy scalar or an array."""
    total = np.asarray(leaf) + direction
    if isinstance(leaf, np.ndarray):
        return total
    return total[()] if isinstance(leaf, np.generic) else total.item()


def slope(function: Callable[[float], Any], scale: float = 1.0) -> Slope:
    """The derivative at 0 of a real function of a step length.

    >>> round(slope(lambda t: np.exp(2 * t)).value, 9)
    2.0
    """
    h = STEP * scale
    near, middle, far = (float(function(k * h)) - float(function(-k * h)) for k in (1, 2, 3))
    value = (45 * near - 9 * middle + far) / (60 * h)
    return Slope(value, abs(value - (8 * near - middle) / (12 * h)))


def directional(f: Callable, args: Sequence[Any], argnum: int, steps: Sequence[np.ndarray]) -> Slope:
    """The slope of `f` as the leaves of `args[argnum]` move along `steps`, one array per leaf."""
    leaves = optree.tree_leaves(numbers_of(args[argnum]))

    def along(length: float) -> Any:
        arguments, ahead = [widened(arg) for arg in args], iter(steps)
        move = lambda leaf: moved(leaf, length * next(ahead)) if _moves(leaf) else leaf
        arguments[argnum] = optree.tree_map(move, arguments[argnum])
        return np.real(f(*arguments))
    size = max(float(np.max(np.abs(leaf) * (step != 0), initial=0.0)) for leaf, step in zip(leaves, steps))
    return slope(along, scale=min(max(size, 0.1), 1e3))


def element_gradient(f: Callable, args: Sequence[Any], argnum: int, position: int, index: tuple) -> Slope:
    """The numeric gradient in one element of one leaf; a complex one as JAX has it, d/dx - 1j * d/dy.

    >>> slope_at = element_gradient(lambda z: (z * z).real, [1 + 2j], 0, 0, ())
    >>> print(f'{slope_at.value:.6f}')
    2.000000+4.000000j
    """
    leaves = optree.tree_leaves(numbers_of(args[argnum]))

    def unit(direction: complex) -> list[np.ndarray]:
        steps = [np.zeros(np.shape(leaf), complex if np.asarray(leaf).dtype.kind == 'c' else float) for leaf in leaves]
        steps[position][index] = direction
        return steps
    real = directional(f, args, argnum, unit(1.0))
    if np.asarray(leaves[position]).dtype.kind != 'c':
        return real
    imaginary = directional(f, args, argnum, unit(1j))
    return Slope(real.value - 1j * imaginary.value, real.error + imaginary.error)
