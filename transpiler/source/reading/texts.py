"""Functions that are given as text."""

from __future__ import annotations

import ast
import io
import itertools
import linecache
import textwrap
import weakref
from collections.abc import Callable
from typing import Any

from transpiler.arguments.asked import asked
from transpiler.errors import SourceNotFound
from transpiler.room import roomy

_counter = itertools.count(1)


@asked
def from_source(text: str, name: str | None = None) -> Callable[..., Any]:
    """Define a function from its source text, so that it can be transformed where no file holds it.

    `text` is a module's text; `name` says which of its functions is meant (the last one by default). The text runs once.

    >>> cube = from_source('def cube(x):\\n    return x * x * x')
    >>> cube(2.0)
    8.0
    """
    text = textwrap.dedent(text)
    file = f'<transpiler source {next(_counter)}>'
    linecache.cache[file] = (len(text), None, lines_of(text), file)
    namespace: dict[str, Any] = {'__name__': 'transpiler_source', '__lines__': Lines(file)}
    exec(roomy(compile)(text, file, 'exec', dont_inherit=True), namespace)
    functions = [n.name for n in roomy(ast.parse)(text).body if isinstance(n, ast.FunctionDef)]
    if not functions or (name is not None and name not in functions):
        raise SourceNotFound(f'the text defines no function {name or ""}'.rstrip(), instead='give it as `def name(...): ...`')
    return namespace[name or functions[-1]]


class Lines:
    """Has a text kept for as long as the functions that are defined in it, all of which reach this object."""

    def __init__(self, file: str):
        weakref.finalize(self, linecache.cache.pop, file, None).atexit = False


def lines_of(text: str) -> list[str]:
    """The lines as Python counts them: not even a form feed ends one, which it does for `str.splitlines`."""
    return io.StringIO(text, newline=None).readlines()
