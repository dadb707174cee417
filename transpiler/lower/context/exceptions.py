"""Exceptions that compiled code raises: those of the user's own classes, and messages made of numbers, are made outside."""
from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import RAISES
from transpiler.lower.context.context import Context
from transpiler.lower.context.texts import Text


def compiled_exception(context: Context, exception: gast.Call) -> gast.expr:
    """What is raised instead of `exception`: itself, if Numba can make it.

    >>> from transpiler.core.text import expression, parse
    >>> from transpiler.lower.statements import Lowering
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import FLOAT
    >>> context = Lowering(parse('return x', types={'x': FLOAT}), {})
    >>> shown = lambda text: Spelling().expression(compiled_exception(context, expression(text)))
    >>> shown("python.ValueError('negative')"), shown("python.ValueError(f'at {x:.2f}')")
    ("ValueError('negative')", "Raised('builtins:ValueError', 'at {0:.2f}', '-', x)")
    """
    name, args = exception.func.id, exception.args
    if exception.keywords:
        raise context.refuse('an exception with keywords cannot be compiled', 'compiled code raises with values by position')
    text = Text(context)
    if name.startswith(RAISES):
        place = name.removeprefix(RAISES)
    elif all(isinstance(a, gast.Constant) for a in args):
        return exception
    else:
        place = name.replace('python.', 'builtins:', 1)
    if len(args) == 1 and isinstance(args[0], gast.JoinedStr):
        text.add(args[0])
        message = build.constant(text.layout)
    elif any(isinstance(a, gast.JoinedStr) for a in args):
        raise context.refuse('an exception with a message and other values cannot be compiled', 'compiled code builds no text',
                             'put the values into the message')
    else:
        message = build.constant(None)
        for value in args:
            text.value(value)
    return build.call(context.target.checks.failure, build.constant(place), message, text.said_of_values, *text.values)
