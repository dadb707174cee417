"""Which function lowers which primitive, and how the arguments of a primitive call are told apart."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from transpiler.core.query import primitive

LOWERINGS: dict[str, Callable] = {}


def lowers(*names: str) -> Callable[[Callable], Callable]:
    """Register a lowering: `f(lowering, call, type)` gives the `Value` of a call whose result has that type.

    A name that ends in `.*` is for all others of a package.
    """
    def register(function: Callable) -> Callable:
        for name in names:
            if name in LOWERINGS:
                raise ValueError(f'{name} is lowered already')
            LOWERINGS[name] = function
        return function
    return register


def lowering_of(name: str) -> Callable | None:
    return LOWERINGS.get(name) or LOWERINGS.get(f'{name.rpartition(".")[0]}.*')


class Call:
    """A primitive call with its arguments by name."""

    def __init__(self, node: gast.Call):
        self.name = primitive(node) or ''
        self.args = list(node.args)
        self.keywords = {keyword.arg: keyword.value for keyword in node.keywords}

    def bind(self, *parameters: str) -> list[gast.expr | None]:
        """The arguments for these parameters, None where one is not given; anything else is a TypeError.

        >>> from transpiler.core.text import expression
        >>> a, axis, out = Call(expression('np.sum(x, axis=0)')).bind('a', 'axis', 'out')
        >>> a.id, axis.value, out
        ('x', 0, None)
        """
        given: dict[str, Any] = dict(zip(parameters, self.args, strict=False))
        unknown = [k for k in self.keywords if k not in parameters or k in given]
        if len(self.args) > len(parameters) or unknown:
            raise TypeError(f'it takes {", ".join(parameters)}, not {", ".join(unknown) or "more"}')
        given.update(self.keywords)
        return [given.get(parameter) for parameter in parameters]
