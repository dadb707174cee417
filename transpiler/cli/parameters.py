"""The parameters of a function that is known as text only: their defaults, and how arguments are bound to them."""
from __future__ import annotations

import ast
import inspect
from typing import Any

import gast

from transpiler.cli.examples import Example
from transpiler.cli.requests import UsageError
from transpiler.source.reading.capture import Function


def default_nodes(function: Function) -> dict[str, gast.expr]:
    """The default expression of every parameter that has one."""
    arguments = function.node.args
    positional = arguments.posonlyargs + arguments.args
    last = [p.id for p in positional[len(positional) - len(arguments.defaults):]]
    found = dict(zip(last, arguments.defaults))
    return found | {p.id: d for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}


def literal_defaults(function: Function) -> dict[str, Any]:
    """The values of those defaults that are literals."""
    found = {}
    for name, node in default_nodes(function).items():
        try:
            found[name] = ast.literal_eval(gast.gast_to_ast(node))
        except ValueError:
            continue
    return found


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
