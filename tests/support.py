"""Helpers for tests: plain against compiled code, and derivatives by finite differences, independent of `tp.testing`."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import optree
import pytest

import transpiler as tp


@dataclass(frozen=True)
class Mode:
    """How a test runs transformed functions: `mode(tp.grad(f))` as it stands, or compiled."""

    name: str
    wrap: Callable

    def __call__(self, transformed: Callable) -> Callable:
        return self.wrap(transformed)

    @property
    def compiled(self) -> bool:
        return self.name == 'jit'


PLAIN = Mode('python', lambda transformed: transformed)
JIT = Mode('jit', tp.jit)


def copied(tree):
    """A pytree with its arrays copied: the primal may write into its arguments."""
    return optree.tree_map(lambda leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, tree, none_is_leaf=True)


def numeric_grad(f: Callable, args: tuple, argnum: int = 0, step: float = 1e-5, **keywords):
    """The gradient of the scalar function `f` by central differences, as a pytree like `args[argnum]`."""
    leaves, structure = optree.tree_flatten(args[argnum])

    def value(position: int, index: tuple, change: float) -> float:
        arguments = list(copied(tuple(args)))
        parts = optree.tree_leaves(arguments[argnum])
        if isinstance(parts[position], np.ndarray):
            parts[position][index] += change
        else:
            parts[position] = parts[position] + change
        arguments[argnum] = optree.tree_unflatten(structure, parts)
        return float(f(*arguments, **copied(keywords)))

    def slope(position: int, index: tuple) -> float:
        return (value(position, index, step) - value(position, index, -step)) / (2 * step)

    def gradient(position: int, leaf):
        if not isinstance(leaf, np.ndarray):
            return slope(position, ())
        return np.array([slope(position, index) for index in np.ndindex(leaf.shape)]).reshape(leaf.shape)
    return optree.tree_unflatten(structure, [gradient(k, leaf) for k, leaf in enumerate(leaves)])


def same(actual, expected, rtol: float = 1e-5, atol: float = 1e-7) -> None:
    """Two pytrees agree in structure, shapes and values."""
    assert optree.tree_structure(actual) == optree.tree_structure(expected)
    for left, right in zip(optree.tree_leaves(actual), optree.tree_leaves(expected)):
        assert np.shape(left) == np.shape(right)
        np.testing.assert_allclose(left, right, rtol=rtol, atol=atol)


def direction(tree):
    """Numbers in the structure of a pytree, some positive, some negative."""
    leaves, structure = optree.tree_flatten(tree)
    waves = [np.cos(1.0 + k + np.arange(np.size(leaf), dtype=float)).reshape(np.shape(leaf)) for k, leaf in enumerate(leaves)]
    kinds = [np.asarray(leaf).dtype for leaf in leaves]
    waves = [None if kind.kind not in 'fc' else wave.astype(kind) for wave, kind in zip(waves, kinds, strict=True)]
    return optree.tree_unflatten(structure, [w.item() if isinstance(x, float) else w for w, x in zip(waves, leaves, strict=True)])


@lru_cache(maxsize=100)
def once(mode: Callable, transform: Callable, f: Callable, *argnums: int | tuple[int, ...]) -> Callable:
    """`mode(transform(f, ...))`: one object for all arguments that a test tries it with, as a user has it."""
    return mode(transform(f, *argnums))


def check_tangent(f: Callable, args: tuple, argnums: tuple[int, ...], gradients: tuple, **keywords) -> None:
    """The tangent of the scalar function `f` along a direction against its gradients."""
    forward = once(PLAIN, tangents, f, argnums)
    directions = [direction(args[k]) for k in argnums]
    value, dot = forward(*copied(args), **copied(keywords), **dict(zip(forward.added, directions, strict=True)))
    pairs = zip(optree.tree_leaves(directions), optree.tree_leaves(gradients), strict=True)
    expected = sum(np.sum(d * g) for d, g in pairs)
    np.testing.assert_allclose(dot, expected, rtol=1e-9, atol=1e-9)


def check(mode: Mode, f: Callable, *args, argnums: int | tuple[int, ...] = 0, order: int = 1, **keywords) -> None:
    """Value and derivatives of the scalar function `f` against the primal and finite differences; arguments stay as they are.

    With `order=2` the gradient of the sum of the gradient too: a row sum of the Hessian.
    """
    before = copied(args)
    value, gradient = once(mode, tp.value_and_grad, f, argnums)(*args, **keywords)
    assert value == f(*copied(args), **keywords) or abs(value - f(*copied(args), **keywords)) < 1e-9 * abs(value)
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    for number, part in zip(numbers, (gradient,) if isinstance(argnums, int) else gradient):
        same(part, numeric_grad(f, args, number, **keywords))
    if mode is not tp.jit and not getattr(mode, 'compiled', False):
        check_tangent(f, args, numbers, (gradient,) if isinstance(argnums, int) else gradient, **keywords)
    if order == 2:
        check(mode, once(PLAIN, summed_gradient, f, numbers[0], len(args)), *args, argnums=numbers[0])
    same(args, before, rtol=0, atol=0)


def check_raises(kind: type[Exception], f: Callable, *args) -> None:
    """Compiled, `f` raises what it raises as it is, in the same words."""
    with pytest.raises(kind) as plain:
        f(*args)
    with pytest.raises(kind) as compiled:
        tp.jit(f)(*args)
    assert str(compiled.value) == str(plain.value)


def tangents(f: Callable, argnums: tuple[int, ...]) -> Callable:
    return tp.jvp(f, argnums=argnums)


def summed_gradient(f: Callable, argnum: int = 0, arity: int = 1) -> Callable:
    """The function of `arity` arguments that adds up the gradient of `f` in one array or number, each weighted otherwise."""
    gradient = tp.grad(f, argnums=argnum)

    def weighted(bar):
        weights = np.cos(np.arange(1.0, np.size(bar) + 1.0))
        return np.sum(bar * np.reshape(weights, np.shape(bar)))

    def of_one(x):
        return weighted(gradient(x))

    def of_two(x, y):
        return weighted(gradient(x, y))

    def of_three(x, y, z):
        return weighted(gradient(x, y, z))
    return (of_one, of_two, of_three)[arity - 1]


def from_many_threads(call: Callable[[], object], callers: int = 8) -> None:
    """Call a function in several threads at the same time; what one of them raises is raised here."""
    with ThreadPoolExecutor(callers) as pool:
        for running in [pool.submit(call) for _ in range(callers)]:
            running.result()
