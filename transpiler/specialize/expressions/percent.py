"""`%` of a text: what it shows is shown as an f-string does, in the format that means the same."""

from __future__ import annotations

import re

from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, flatten
from transpiler.specialize.expressions.strings import Form, Piece, as_str, text_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.values.types import Scalar

FIELD = re.compile(
    r'%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.)?', re.DOTALL)
TEXTS, WHOLE, BITS, DECIMALS = 'sra', 'diu', 'xXo', 'eEfFgG'


def filled_in(ev, left: Binding, right: Binding) -> Binding:
    """`left % right`, values as they are now."""
    layout, right = ev.known(left, 'the text on the left of `%`'), ev.current(right)
    held = isinstance(right, Container) and right.python in (tuple, list) and right.cell not in ev.texts.deques
    plain = isinstance(right, Known) or held
    if plain and all(isinstance(leaf, Known) for leaf in flatten(right)):
        return ev.operations.fold(lambda: layout % ev.known(right, 'what stands in a text'))
    several = isinstance(right, Container) and issubclass(right.python, tuple)
    values, used, pieces, start = list(right.items) if several else [right], 0, [], 0
    for field in FIELD.finditer(layout):
        pieces.append((Known(layout[start:field.start()]), None))
        start = field.end()
        if field['kind'] == '%':
            pieces.append((Known('%'), None))
        elif field['key'] is not None:
            pieces.append(_piece(ev, field, _entry(ev, right, field['key'])))
            used = len(values)
        elif used == len(values):
            raise ev.inference.failing(TypeError('not enough arguments for format string'))
        else:
            pieces.append(_piece(ev, field, values[used]))
            used += 1
    if used < len(values) and (several or not _is_mapping(ev, right)):
        raise ev.inference.failing(TypeError('not all arguments converted during string formatting'))
    return text_of(ev, [*pieces, (Known(layout[start:]), None)])


def _is_mapping(ev, value: Binding) -> bool:
    """Whether Python takes it for one in which keys may be looked up, none of which need be."""
    return not isinstance(value, Known) and not ev.operands.is_scalar(value)


def _entry(ev, right: Binding, key: str) -> Binding:
    if not isinstance(right, Dict):
        raise ev.inference.failing(TypeError('format requires a mapping'))
    if key not in right.keys:
        raise ev.inference.failing(KeyError(key))
    return right.item(key)


def _piece(ev, field: re.Match, value: Binding) -> Piece:
    if isinstance(value, Known) and '*' not in field[0]:
        return ev.operations.fold(lambda: re.sub(r'\(.*?\)', '', field[0], count=1) % (value.value,)), None
    form = _form(ev, field, value)
    if form is None:
        raise UnsupportedFunction(f'`{field[0]}` of {ev.describe(value)} is not supported in a text', ev.origin,
                                  instead='`%s`, or write an f-string')
    if field['kind'] in WHOLE and isinstance(value, Var) and ev.resolve(value.type).dtype.kind == 'f':
        value = ev.call(Known(int), [value], {})
    return value, form


def _form(ev, field: re.Match, value: Binding) -> Form | None:
    """The conversion and the format of an f-string that show the same; None if there are none."""
    flags, width, precision, kind = field['flags'], field['width'], field['precision'], field['kind']
    if kind is None or '*' in (width, precision):
        return None
    if kind in TEXTS:
        layout = (('<' if '-' in flags else '>') + width if width else '') + ('' if precision is None else f'.{precision or 0}')
        return (as_str(ev, value) if kind == 's' and not layout else ord(kind)), layout
    type_ = ev.resolve(value.type) if isinstance(value, Var) else None
    if not isinstance(type_, Scalar) or type_.dtype.kind not in 'biuf' or kind not in WHOLE + BITS + DECIMALS:
        return None
    if kind in BITS and type_.dtype.kind == 'f' or kind not in DECIMALS and precision is not None:
        return None
    sign = next((sign for sign in '+ ' if sign in flags), '')
    zeros = '0' if '0' in flags and '-' not in flags else ''
    size = ('<' if '-' in flags and width else '', sign, '#' if '#' in flags and kind not in WHOLE else '', zeros, width)
    return -1, ''.join(size) + ('' if precision is None else f'.{precision or 0}') + ('d' if kind in WHOLE else kind)
