"""Example arguments: those of `--args`, or drawn from the types that annotations promise."""
from __future__ import annotations

import ast
import inspect
import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from transpiler.cli.literals import NotData, named, value_of
from transpiler.cli.requests import UsageError
from transpiler.source.reading.capture import Function
from transpiler.specialize.annotations import default_nodes, literal_defaults


@dataclass(frozen=True)
class Example:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


def parse_examples(texts: Sequence[str], functions: Collection[str]) -> dict[str, Example]:
    """An example for every function that an `--args` option speaks of: by name, or else all of them.

    >>> parse_examples(['np.float64(3), n=2', 'g: [1.0]'], ['f', 'g'])['g']
    Example(args=([1.0],), kwargs={})
    """
    general: dict[str, Example] = {}
    named: dict[str, Example] = {}
    for text in texts:
        name, expressions = _split(text)
        if name is not None and name not in functions:
            raise UsageError(f'--args {text!r} is for `{name}`, but no derivative of it is asked for')
        example = evaluate_arguments(expressions)
        for function in functions if name is None else [name]:
            chosen = general if name is None else named
            if function in chosen:
                raise UsageError(f'--args is given twice for `{function}`')
            chosen[function] = example
    return general | named


def _split(text: str) -> tuple[str | None, str]:
    """`loss: 1.0` is (`loss`, `1.0`)."""
    match = re.match(r'\s*([^\W\d]\w*)\s*:(?!=)(.*)', text, re.DOTALL)
    return (match[1], match[2]) if match and not keyword.iskeyword(match[1]) else (None, text)


def evaluate_arguments(text: str) -> Example:
    """What stands between a call's parentheses, if that is data (`cli/literals.py`); raises UsageError for all else.

    >>> evaluate_arguments('[1, 2], scale=np.pi > 3')
    Example(args=([1, 2],), kwargs={'scale': True})
    """
    try:
        call = ast.parse(f'f({text}\n)', mode='eval').body
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            raise NotData('not a list of arguments')
        return Example(tuple(map(value_of, call.args)), named(call.keywords))
    except NotData as error:
        raise UsageError(f'--args {text!r} is not understood: {error}; it takes literals, arithmetic, and what makes arrays '
                         'and numbers in NumPy: put other values into a module and use `tp.grad` there') from None
    except Exception as error:
        raise UsageError(f'--args {text!r} cannot be evaluated: {type(error).__name__}: {error}') from None


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
