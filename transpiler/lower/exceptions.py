"""Exceptions that compiled code raises: those of the user's own classes, and messages made of numbers, are made outside."""
from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import RAISES
from transpiler.lower.context import STANDS_FOR, Context


def compiled_exception(context: Context, exception: gast.Call) -> gast.expr:
    """What is raised instead of `exception`: itself, if Numba can make it.

    >>> from transpiler.core.text import expression, parse
    >>> from transpiler.source.printing import Spelling
    >>> context = Context(parse('return x'), {})
    >>> shown = lambda text: Spelling().expression(compiled_exception(context, expression(text)))
    >>> shown("python.ValueError('negative')"), shown("python.ValueError(f'at {x:.2f}')")
    ("ValueError('negative')", "Raised('builtins:ValueError', 'at {0:.2f}', x)")
    """
    name, args = exception.func.id, exception.args
    if exception.keywords:
        raise context.refuse('an exception with keywords cannot be compiled', 'compiled code raises with values by position')
    if name.startswith(RAISES):
        place = name.removeprefix(RAISES)
    elif not any(isinstance(a, gast.JoinedStr) for a in args):
        return exception
    else:
        place = name.replace('python.', 'builtins:', 1)
    if len(args) == 1 and isinstance(args[0], gast.JoinedStr):
        message, values = _template(args[0])
        return build.call(STANDS_FOR, build.constant(place), build.constant(message), *values)
    if any(isinstance(a, gast.JoinedStr) for a in args):
        raise context.refuse('an exception with a message and other values cannot be compiled', 'compiled code builds no text',
                             'put the values into the message')
    return build.call(STANDS_FOR, build.constant(place), build.constant(None), *args)


def _template(message: gast.JoinedStr) -> tuple[str, list[gast.expr]]:
    """The message with places for its values, as `str.format` takes it, and the values."""
    text, values = '', []
    for part in message.values:
        match part:
            case gast.FormattedValue(value=value, conversion=conversion, format_spec=spec):
                shown = f'!{chr(conversion)}' if conversion not in (-1, None) else ''
                layout = ':' + ''.join(str(p.value) for p in spec.values) if spec else ''
                text += f'{{{len(values)}{shown}{layout}}}'
                values.append(value)
            case gast.Constant(value=piece):
                text += str(piece).replace('{', '{{').replace('}', '}}')
    return text, values
