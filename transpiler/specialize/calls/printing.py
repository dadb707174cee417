"""`print`: values and texts as they are at that time, to a file that is known when code is generated."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.links import link
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.expressions.strings import is_text, settled, unsure_of, ways_of, written

NONE = Known(None)


@dataclass(frozen=True, eq=False)
class Outside:
    """A file around the program, which its text names without defining it: `box.name`, carrying this as `box`."""

    name: str
    function: Any = field(repr=False)

    def __deepcopy__(self, memo: dict) -> Outside:
        return self

    @property
    def write(self) -> Callable:
        return self.function.write

    @property
    def flush(self) -> Callable:
        return self.function.flush


def print_(ev, *values: Binding, sep: Binding = NONE, end: Binding = NONE, file: Binding = NONE, flush: Binding = Known(False)):
    shown = [ev.texts.whole(ev.current(value)) for value in values]
    return _print(ev, [*shown, *map(ev.current, (sep, end, file, flush))])


def _print(ev, given: list[Binding]) -> Binding:
    """Print in a branch of its own what may be None and is not, and each kind of what is of several."""
    if (unsure := unsure_of(given)) is not None:
        test, *ways = ways_of(ev, unsure)
        return ev.choose(None, test, *(partial(_print, ev, [settled(value, unsure, one) for value in given]) for one in ways))
    *values, sep, end, file, flush = given
    call = build.call('python.print', *(written(ev, ev.texts.whole(value)) for value in values))
    for key, binding in (('sep', sep), ('end', end)):
        if binding != NONE:
            call.keywords.append(gast.keyword(arg=key, value=_between(ev, key, binding)))
    if file != NONE:
        call.keywords.append(gast.keyword(arg='file', value=_file(ev, file)))
    if isinstance(flush, Var) or ev.known(flush, '`flush` of `print`'):
        call.keywords.append(gast.keyword(arg='flush', value=ev.operand(flush)[0]))
    ev.builder.effect(call)
    return NONE


def _between(ev, key: str, text: Binding) -> gast.expr:
    """What stands between what is printed, or after it."""
    if not is_text(text):
        raise UnsupportedFunction(f'`{key}` of `print` is {ev.describe(text)}', ev.origin, why='Python takes a text, or None')
    return written(ev, text)


def _file(ev, file: Binding) -> gast.expr:
    """Python's own streams are asked for when something is printed: they may have been replaced since."""
    value = file.value if isinstance(file, Known) else None
    for stream in ('stdout', 'stderr'):
        if value is getattr(sys, stream):
            return build.name(f'sys.{stream}')
    if not callable(getattr(value, 'write', None)):
        raise UnsupportedFunction(
            f'`file` of `print` is {ev.describe(file)}',
            ev.origin,
            why='it must be known when code is generated, and have a method `write`',
            instead='`sys.stdout`, `sys.stderr`, or a file that was opened around the function',
        )
    number, name = 0, 'file'
    while ev.boxes.declared.setdefault(name, value) is not value:
        number += 1
        name = f'file_{number}'
    return link(build.name(f'box.{name}'), box=Outside(name, value))
