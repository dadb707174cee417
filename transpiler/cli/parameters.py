"""The parameters of a function that is known as text only: their defaults, and how arguments are bound to them."""
from __future__ import annotations

import inspect
from typing import Any

from transpiler.cli.examples import Example
from transpiler.cli.requests import UsageError
from transpiler.source.reading.capture import Function
from transpiler.specialize.annotations import default_nodes, literal_defaults


def bound(function: Function, example: Example) -> dict[str, Any]:
    """The example's arguments by parameter, with literal defaults; raises UsageError if they do not fit.

    >>> from transpiler.source.reading.module import ModuleText
    >>> bound(ModuleText('def f(x, k=2, *, n): return x', 'm.py').function('f'), Example((1.0,), {'n': 3}))
    {'x': 1.0, 'n': 3, 'k': 2}
    """
    arguments, defaults = function.node.args, default_nodes(function)
    stars, options = ([node] if node else [] for node in (arguments.vararg, arguments.kwarg))
    kinds = {inspect.Parameter.POSITIONAL_ONLY: arguments.posonlyargs, inspect.Parameter.POSITIONAL_OR_KEYWORD: arguments.args,
             inspect.Parameter.VAR_POSITIONAL: stars, inspect.Parameter.KEYWORD_ONLY: arguments.kwonlyargs,
             inspect.Parameter.VAR_KEYWORD: options}
    signature = inspect.Signature([inspect.Parameter(p.id, kind, default=defaults.get(p.id, inspect.Parameter.empty))
                                   for kind, parameters in kinds.items() for p in parameters])
    try:
        given = signature.bind(*example.args, **example.kwargs).arguments
    except TypeError as error:
        raise UsageError(f'the example arguments do not fit `{function.name}`: {error}') from None
    given = {**{node.id: () for node in stars}, **{node.id: {} for node in options}, **given}
    return {**given, **{name: value for name, value in literal_defaults(function).items() if name not in given}}
