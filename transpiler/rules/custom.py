"""A rule for tangents, made of one for each argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence


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
