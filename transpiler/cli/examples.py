"""Example arguments: those of `--args`, or drawn from the types that annotations promise."""
from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transpiler.cli.requests import UsageError

BUILTINS = {f.__name__: f for f in (abs, bool, complex, dict, float, int, len, list, max, min, range, sum, tuple)}


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
    """Evaluate what stands between a call's parentheses, with `np` at hand.

    >>> evaluate_arguments('[1, 2], scale=np.pi > 3')
    Example(args=([1, 2],), kwargs={'scale': True})
    """
    try:
        if not isinstance(ast.parse(f'f({text}\n)', mode='eval').body, ast.Call):
            raise SyntaxError('not a list of arguments')
        namespace = {'f': lambda *args, **kwargs: Example(args, kwargs), 'np': np, 'numpy': np, '__builtins__': BUILTINS}
        return eval(f'f({text}\n)', namespace)
    except Exception as error:
        raise UsageError(f'--args {text!r} cannot be evaluated: {type(error).__name__}: {error}') from None
