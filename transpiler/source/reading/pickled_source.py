"""Source that travels with functions that are pickled by value (`joblib`, notebooks): where they arrive, no file holds it."""

from __future__ import annotations

import inspect
import linecache
import types
from collections import OrderedDict

from transpiler.errors import Origin, SourceNotFound

MANY = 64  # texts that have arrived

Text = tuple[str, str]  # the file, and what stands in it
_arrived: OrderedDict[Text, dict[str, list[types.CodeType]]] = OrderedDict()


def to_carry(function: types.FunctionType) -> Text | None:
    """The file of a function and its text, if another process may not find it by the module's name."""
    if function.__module__ != '__main__' and '<' not in function.__qualname__:
        return None
    try:
        return function.__code__.co_filename, ''.join(lines_around(function))
    except SourceNotFound:
        return text_of(function.__code__)


def arrive(text: Text) -> None:
    """Keep a text for the functions in it."""
    if text not in _arrived:
        _arrived[text] = _codes(text)
        if len(_arrived) > MANY:
            _arrived.popitem(last=False)


def text_of(code: types.CodeType) -> Text | None:
    """The text that has arrived for a function: the very code is in it."""
    return next((text for text, codes in list(_arrived.items()) if code in codes.get(code.co_name, ())), None)


def _codes(text: Text) -> dict[str, list[types.CodeType]]:
    found: dict[str, list[types.CodeType]] = {}
    try:
        pending = [compile(text[1], text[0], 'exec', dont_inherit=True)]
    except SyntaxError:
        return found
    while pending:
        code = pending.pop()
        found.setdefault(code.co_name, []).append(code)
        pending += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return found


def lines_around(function: types.FunctionType) -> list[str]:
    """The text of the file that a function stands in."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        return inspect.findsource(function)[0]
    except (OSError, TypeError, IndexError) as error:
        raise SourceNotFound(
            f'the source of `{function.__qualname__}` cannot be found',
            Origin(code.co_filename, code.co_firstlineno),
            why=str(error),
            instead='define it with `tp.from_source(text)`, which keeps the text',
        ) from None
