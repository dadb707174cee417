"""Text with values in it: known while code is generated, or built when the program prints it or raises."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Conflict, Known
from transpiler.specialize.domain.optionals import NONE, is_optional
from transpiler.specialize.iterables.spaces import parts_of
from transpiler.specialize.kinds.eithers import is_either
from transpiler.specialize.kinds.mixtures import check_shown, number_of
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.types import Array, Scalar, Tape

Form = tuple[int, str]  # how a value is shown: the conversion (`!r`), or -1, and the format
Piece = tuple[Binding, Form | None]
CONVERSIONS = {ord('r'): repr, ord('s'): str, ord('a'): ascii}


def text_of(ev, pieces: Sequence[Piece]) -> Binding:
    """The text that an f-string is: of values as they are now, whatever is written into them before it is printed."""
    parts: list[Piece] = []
    for value, form in pieces:
        parts += [(value, None)] if form is None else ev.texts.pieces(ev.current(value), form)
    return joined_text([(_as_now(ev, value), form) for value, form in parts])


def _as_now(ev, value: Binding) -> Binding:
    match ev.current(value):
        case Var(_, Array()) as array:
            return ev.operate_by_name('numpy.copy', [array])
        case Text() as text:
            return text     # its values are those of then
        case DynamicList() as items:
            return ev.tapes.copy_tape(_numbers_on(ev, items))
        case Container(items=items) as held:
            return held.anew(tuple(_as_now(ev, item) for item in items))
        case same:
            return same


def _numbers_on(ev, items: DynamicList) -> Var:
    """The list in generated code that a list of run-time length is shown as."""
    if isinstance(items.item, Container):
        raise UnsupportedFunction(f'a list that grows cannot be shown if an item is {ev.describe(items.item)}', ev.origin,
                                  why='in generated code it is a list for each part of an item',
                                  instead='show its items one by one')
    return items.items[0]


def as_str(ev, value: Binding) -> int:
    """The conversion that shows a value as `str` does: none where a format alone does too, as it does not for short floats."""
    type_ = ev.resolve(value.type) if isinstance(value, Var) else None
    if isinstance(type_, Scalar) and (type_.weak or type_.dtype.kind in 'biu' or type_.dtype in (np.float64, np.complex128)):
        return -1
    if isinstance(value, Object):
        return ord('s')
    return -1 if isinstance(value, (Known, Container)) or isinstance(type_, Array) and type_.ndim else ord('s')


def joined_text(pieces: Sequence[Piece]) -> Binding:
    """Texts and values as one text; a `Text` if some of it shows at run time only.

    >>> joined_text([(Known('w'), None), (Known(3), (-1, '02d'))])
    Known(value='w03')
    """
    if all(isinstance(value, Known) for value, _ in pieces):
        return Known(''.join(shown(value.value, form) for value, form in pieces))
    return Text(tuple(value for value, _ in pieces), tuple(form for _, form in pieces))


def is_text(value: Binding) -> bool:
    return isinstance(value, Known) and isinstance(value.value, str) or isinstance(value, Text)


def pieces_of(text: Binding) -> list[Piece]:
    return list(zip(text.items, text.forms, strict=True)) if isinstance(text, Text) else [(text, None)]


def shown(value: Any, form: Form | None) -> str:
    return value if form is None else format(CONVERSIONS.get(form[0], lambda same: same)(value), form[1])


def by_text(ev, method: Callable, args: Sequence[Binding], keywords: Mapping[str, Binding]) -> Binding:
    """What a method of a known text, or of known bytes, gives."""
    if method.__name__ == 'format':
        return formatted(ev, method.__self__, args, keywords)
    if method.__name__ == 'join' and len(args) == 1 and not isinstance(args[0], Known):
        parts = parts_of(ev, args[0], 'join')
        if all(map(is_text, parts)):
            return _with_between(method.__self__, parts)
    title = f'the method `{method.__name__}` of a text'
    given = [ev.known(value, f'an argument of {title}') for value in args]
    named = {name: ev.known(value, f'`{name}` of {title}') for name, value in keywords.items()}
    found = ev.operations.fold(lambda: method(*given, **named))
    match found:
        case Known(list() | tuple() as several):
            return (List if isinstance(several, list) else Tuple)(tuple(map(Known, several)))
    return found


def _with_between(separator: str, texts: Sequence[Binding]) -> Binding:
    pieces = [piece for text in texts for piece in [(Known(separator), None), *pieces_of(text)]]
    return joined_text(pieces[1:])


def formatted(ev, layout: str, args: Sequence[Binding], keywords: Mapping[str, Binding]) -> Binding:
    """`layout.format(*args, **keywords)`, of fields that name an argument and no part of it."""
    parts = list(string.Formatter().parse(layout))
    named = {**keywords, **{str(k): value for k, value in enumerate(args)}}
    in_turn = iter(args) if all(field is None or not field.isdecimal() for _, field, _, _ in parts) else iter(())
    pieces: list[Piece] = []
    for before, field, specification, conversion in parts:
        pieces.append((Known(before), None))
        if field is None:
            continue
        value = next(in_turn, None) if field == '' else named.get(field)
        if value is None or '{' in (specification or ''):
            raise UnsupportedFunction(f'the field `{{{field}}}` of `format` is not supported', ev.origin,
                                      instead='write an f-string')
        pieces.append((value, (ord(conversion) if conversion else -1, specification or '')))
    return text_of(ev, pieces)


def unsure_of(values: Iterable[Binding]) -> Optional | EitherNumber | None:
    """The first of some values, or of what their texts show, that may be None, or of several kinds."""
    for value in values:
        if is_optional(value) or is_either(value):
            return value
        found = unsure_of(value.items) if isinstance(value, Container) else None
        if found is not None:
            return found
    return None


def ways_of(ev, unsure: Optional | EitherNumber) -> tuple[Binding, Binding, Binding]:
    """A test, what `unsure` is where it holds, and what it is elsewhere."""
    if is_optional(unsure):
        return (*unsure.items, NONE)
    (which, first, *others), (sort, *sorts) = unsure.items, unsure.sorts
    other = others[0] if len(others) == 1 else replace(unsure, items=(which, *others), sorts=tuple(sorts))
    return ev.compare(gast.Eq, which, Known(number_of(sort))), first, other


def settled(value: Binding, unsure: Optional | EitherNumber, found: Binding) -> Binding:
    """A value with `found` in place of what is unsure."""
    if value == unsure:
        return found
    if not isinstance(value, Container):
        return value
    return replace(value, items=tuple(settled(item, unsure, found) for item in value.items))


def written(ev, text: Binding, conversion: int = ord('s')) -> gast.expr:
    """A text, or a value beside texts, as an expression of the program; `conversion` is how it is going to be shown."""
    inside = lambda values: [written(ev, value, ord('r')) for value in values]
    match text:
        case Known(np.dtype() as dtype) if conversion == ord('s'):
            return build.constant(str(dtype))
        case Known(np.dtype()):
            raise UnsupportedFunction('the text of a dtype among other values is not supported', ev.origin,
                                      why='in generated code it is a class', instead='show it alone, or `str(x.dtype)`')
        case Known(value):
            return build.constant(value)
        case Text(values, forms):
            return gast.JoinedStr(values=[_part(ev, *piece) for piece in zip(values, forms, strict=True)])
        case Tuple(values) | List(values):
            return build.expression(text.written(inside(values)))
        case DynamicList() as items:
            return written(ev, _numbers_on(ev, items))
        case ArrayList():
            raise UnsupportedFunction('the text of a list of numbers that is kept in an array is not supported', ev.origin,
                                      why='that of the array is another one', instead='show its items, or `np.array(...)` of it')
        case Var(name, Tape()):
            check_shown(ev, ev.tapes.list_type(name).element, ord('r'))
            return build.name(name)
        case Dict(values, keys):
            return gast.Dict(keys=[build.constant(key) for key in keys], values=inside(values))
        case Var(type=type_):
            check_shown(ev, ev.resolve(type_), conversion)
    return ev.operand(text)[0]


def _part(ev, value: Binding, form: Form | None) -> gast.expr:
    if isinstance(value, Known):
        return build.constant(shown(value.value, form))
    if isinstance(value, Conflict):     # a text, or part of one, that is another on another path
        raise value.error(ev.origin)
    layout = gast.JoinedStr(values=[build.constant(form[1])]) if form[1] else None
    return gast.FormattedValue(value=written(ev, value, form[0]), conversion=form[0], format_spec=layout)
