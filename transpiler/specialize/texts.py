"""Text with values in it: known while code is generated, or built when the program prints it or raises."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from transpiler.core import build
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.optional import is_optional
from transpiler.values.types import Array

Form = tuple[int, str]  # how a value is shown: the conversion (`!r`), or -1, and the format
Piece = tuple[Binding, Form | None]
CONVERSIONS = {ord('r'): repr, ord('s'): str, ord('a'): ascii}


def text_of(run, pieces: Sequence[Piece]) -> Binding:
    """The text that an f-string is: of values as they are now, whatever is written into them before it is printed."""
    return joined_text([(_as_now(run, value), form) for value, form in pieces])


def _as_now(run, value: Binding) -> Binding:
    match run.current(value):
        case Var(_, Array()) as array:
            return run.operate_by_name('numpy.copy', [array])
        case Container('text') as text:
            return text     # its values are those of then
        case Container('growing') as items:
            return run.array_of(items)
        case Container(items=items) as held:
            return replace(held, items=tuple(_as_now(run, item) for item in items), cell=None)
        case same:
            return same


def joined_text(pieces: Sequence[Piece]) -> Binding:
    """Texts and values as one text; `Container('text', values, forms)` if some of it shows at run time only.

    >>> joined_text([(Known('w'), None), (Known(3), (-1, '02d'))])
    Known(value='w03')
    """
    if all(isinstance(value, Known) for value, _ in pieces):
        return Known(''.join(shown(value.value, form) for value, form in pieces))
    return Container('text', tuple(value for value, _ in pieces), tuple(form for _, form in pieces))


def is_text(value: Binding) -> bool:
    return isinstance(value, Known) and isinstance(value.value, str) or isinstance(value, Container) and value.kind == 'text'


def pieces_of(text: Binding) -> list[Piece]:
    return list(zip(text.items, text.keys, strict=True)) if isinstance(text, Container) else [(text, None)]


def shown(value: Any, form: Form | None) -> str:
    return value if form is None else format(CONVERSIONS.get(form[0], lambda same: same)(value), form[1])


def by_text(run, method: Callable, args: Sequence[Binding], keywords: Mapping[str, Binding]) -> Binding:
    """What a method of a known text gives."""
    if method.__name__ == 'format':
        return formatted(run, method.__self__, args, keywords)
    title = f'the method `{method.__name__}` of a text'
    given = [run.known(value, f'an argument of {title}') for value in args]
    named = {name: run.known(value, f'`{name}` of {title}') for name, value in keywords.items()}
    found = run.fold(lambda: method(*given, **named))
    if isinstance(found.value, (str, int)):
        return found
    raise UnsupportedFunction(f'{title} is not supported', run.origin, why='it gives several', instead='do it in the caller')


def formatted(run, layout: str, args: Sequence[Binding], keywords: Mapping[str, Binding]) -> Binding:
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
            raise UnsupportedFunction(f'the field `{{{field}}}` of `format` is not supported', run.origin,
                                      instead='write an f-string')
        pieces.append((value, (ord(conversion) if conversion else -1, specification or '')))
    return text_of(run, pieces)


def unsure_of(values: Iterable[Binding]) -> Container | None:
    """The first of some values, or of what their texts show, that may be None."""
    for value in values:
        if is_optional(value):
            return value
        found = unsure_of(value.items) if isinstance(value, Container) else None
        if found is not None:
            return found
    return None


def settled(value: Binding, unsure: Container, found: Binding) -> Binding:
    """A value with `found` in place of what may be None."""
    if value == unsure:
        return found
    if not isinstance(value, Container):
        return value
    return replace(value, items=tuple(settled(item, unsure, found) for item in value.items))


def written(run, text: Binding) -> gast.expr:
    """A text, or a value beside texts, as an expression of the program."""
    match text:
        case Known(value):
            return build.constant(value)
        case Container('text', values, forms):
            return gast.JoinedStr(values=[_part(run, *piece) for piece in zip(values, forms, strict=True)])
        case Container('tuple' | 'list' as kind, values):
            return build.expression((tuple if kind == 'tuple' else list)(written(run, value) for value in values))
        case Container('dict', values, keys):
            return gast.Dict(keys=[build.constant(key) for key in keys], values=[written(run, value) for value in values])
    return run.operand(text)[0]


def _part(run, value: Binding, form: Form | None) -> gast.expr:
    if form is None:
        return build.constant(value.value)
    layout = gast.JoinedStr(values=[build.constant(form[1])]) if form[1] else None
    return gast.FormattedValue(value=written(run, value), conversion=form[0], format_spec=layout)
