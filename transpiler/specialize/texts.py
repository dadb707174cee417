"""Text with values in it: known while code is generated, or built when the program prints it or raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from transpiler.core import build
from transpiler.specialize.bindings import Binding, Container, Known

Form = tuple[int, str]  # how a value is shown: the conversion (`!r`), or -1, and the format
Piece = tuple[Binding, Form | None]
CONVERSIONS = {ord('r'): repr, ord('s'): str, ord('a'): ascii}


def text_of(pieces: Sequence[Piece]) -> Binding:
    """The text that an f-string is; `Container('text', values, forms)` if some of it shows at run time only.

    >>> text_of([(Known('w'), None), (Known(3), (-1, '02d'))])
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


def written(run, text: Binding) -> gast.expr:
    """A text, or a value beside texts, as an expression of the program."""
    match text:
        case Known(value):
            return build.constant(value)
        case Container('text', values, forms):
            return gast.JoinedStr(values=[_part(run, *piece) for piece in zip(values, forms, strict=True)])
    return run.operand(text)[0]


def _part(run, value: Binding, form: Form | None) -> gast.expr:
    if form is None:
        return build.constant(value.value)
    layout = gast.JoinedStr(values=[build.constant(form[1])]) if form[1] else None
    return gast.FormattedValue(value=written(run, value), conversion=form[0], format_spec=layout)
