"""Every composition of transformations, each step checked against differences or loops over the shorter composition."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import transpiler as tp

STEPS = ('grad', 'jvp', 'vmap', 'jit')
Path = tuple[str, ...]


def paths(longest: int = 3) -> Iterator[Path]:
    """All sequences of steps, innermost first; `jit` once at most, since it compiles the whole wherever it stands."""
    for length in range(1, longest + 1):
        for path in itertools.product(STEPS, repeat=length):
            if path.count('jit') <= 1:
                yield path


def wave(like: Any, shift: float) -> Any:
    """Fixed numbers in the shape of a value."""
    if np.ndim(like) == 0:
        return float(np.cos(shift))
    return np.cos(np.arange(np.size(like)) * 1.3 + shift).reshape(np.shape(like))


def batch_of(point: Any) -> np.ndarray:
    return np.stack([point, 0.9 * np.asarray(point), 1.05 * np.asarray(point)])


def applied(step: str, f: Callable, point: Any) -> tuple[Callable, Any]:
    """A function with one more transformation, and the point where it is called."""
    if step == 'jit':
        return tp.jit(f), point
    if step == 'vmap':
        return tp.vmap(f), batch_of(point)
    if step == 'jvp':
        direction = wave(point, 0.4)

        def pushed(x):
            return tp.jvp(f, (x,), (direction,))[1]
        return pushed, point
    value = f(point)
    if np.ndim(value) == 0:
        return tp.grad(f), point
    cotangent = wave(value, 1.1)

    def pulled(x):
        _, pullback = tp.vjp(f, x)
        return pullback(cotangent)[0]
    return pulled, point


def check(step: str, f: Callable, point: Any, got: Any) -> None:
    """What one more step on `f` gives, against differences of `f`, or a loop over it."""
    if step == 'jit':
        expected = f(point)
        rtol, atol = 1e-9, 1e-11
    elif step == 'vmap':
        expected = np.stack([f(one) for one in (batch_of(point) if np.ndim(point) else batch_of(point).tolist())])
        rtol, atol = 1e-9, 1e-11
    elif step == 'jvp':
        expected = slope(f, point, wave(point, 0.4))
        rtol, atol = 1e-6, 1e-7
    else:
        value, rtol, atol = f(point), 1e-6, 1e-7
        cotangent = wave(value, 1.1) if np.ndim(value) else 1.0
        along = [wave(point, shift) for shift in (0.2, 0.9, 1.7)]
        assert np.shape(got) == np.shape(point)
        got = np.array([np.sum(got * direction) for direction in along])
        expected = np.array([np.sum(slope(f, point, direction) * cotangent) for direction in along])
    assert np.shape(got) == np.shape(expected)
    np.testing.assert_allclose(got, expected, rtol, atol)


def slope(f: Callable, point: Any, direction: Any, h: float = 2e-4) -> Any:
    """The directional derivative by sixth-order central differences."""
    near, middle, far = (np.asarray(f(point + k * h * direction)) - f(point - k * h * direction) for k in (1, 2, 3))
    return (45 * near - 9 * middle + far) / (60 * h)
