"""Rules made for the user: one for tangents of one for each argument, and one of finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np


def one_by_one(function: Callable, rules: Sequence[Callable | None]) -> Callable:
    """The rule that adds up `rule(tangent, result, *primals)` over the arguments; None stands for no tangent.

    >>> one_by_one(lambda x, y: x * y, [lambda x_dot, ans, x, y: x_dot * y, None])((2.0, 3.0), (1.0, 1.0))
    (6.0, 3.0)
    """
    def tangents_one_by_one(primals, tangents):
        ans = function(*primals)
        total = None
        for rule, tangent in zip(rules, tangents):
            if rule is not None:
                part = rule(tangent, ans, *primals)
                total = part if total is None else total + part
        return ans, total
    return tangents_one_by_one


def differences(function: Callable) -> tuple[Callable, Callable, None]:
    """A rule by central differences, for numbers and arrays of float64: two calls for each.

    >>> fwd, bwd, _ = differences(lambda x, n: np.sum(x ** n))
    >>> bars = bwd(fwd(np.array([1.0, 2.0]), 2)[1], 1.0)
    >>> np.round(bars[0], 6), bars[1]
    (array([2., 4.]), None)
    """
    def differences_fwd(*args):
        return function(*args), args

    def differences_bwd(args, bar):
        bars = []
        for k, x in enumerate(args):
            if not isinstance(x, (float, np.ndarray)):
                bars.append(None)
            elif isinstance(x, float):
                step = 6e-6 * max(abs(x), 1.0)
                more, less = function(*args[:k], x + step, *args[k + 1:]), function(*args[:k], x - step, *args[k + 1:])
                bars.append(np.sum(bar * (more - less)) / (2.0 * step))
            else:
                x_bar, flat = np.zeros(x.size), x.reshape(-1)
                for i in range(x.size):
                    step = 6e-6 * max(abs(flat[i]), 1.0)
                    change = np.zeros(x.size)
                    change[i] = step
                    moved = change.reshape(x.shape)
                    more, less = function(*args[:k], x + moved, *args[k + 1:]), function(*args[:k], x - moved, *args[k + 1:])
                    x_bar[i] = np.sum(bar * (more - less)) / (2.0 * step)
                bars.append(x_bar.reshape(x.shape))
        return tuple(bars)
    return differences_fwd, differences_bwd, None
