"""Texts of what compiled code prints and raises: a layout, as `str.format` takes it, and values that are put into it outside."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.dataflow.memo import memoised
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import defined, names, primitive, reads
from transpiler.lower.context.context import Context
from transpiler.lower.context.values import dtype_name
from transpiler.specialize.expressions.strings import Form, shown
from transpiler.values.types import Array, Scalar, Tape

AS_IT_IS, STR, REPR = -1, ord('s'), ord('r')
PLAIN = (AS_IT_IS, STR, REPR, None)


@dataclass
class Text:
    """`layout` with places for the `values`; `kinds` says what each of them is (see `kernels/machine/texts.py`).

    >>> from transpiler.core.text import expression, parse
    >>> text = Text(Context(parse('return x'), {}))
    >>> text.add(expression("f'at {{{(1, 2.5)}}}'"))
    >>> text.layout.format()
    'at {(1, 2.5)}'
    """

    context: Context
    layout: str = ''
    kinds: list[str] = field(default_factory=list)
    values: list[gast.expr] = field(default_factory=list)

    def literal(self, text: str) -> None:
        self.layout += text.replace('{', '{{').replace('}', '}}')

    def add(self, node: gast.expr, form: Form = (STR, '')) -> None:
        """Show one more value, or text."""
        conversion, layout = form
        plain = conversion in PLAIN and not layout
        match node:
            case gast.JoinedStr(values=parts) if plain and conversion != REPR:
                for part in parts:
                    self._part(part)
            case gast.Constant(value=value):
                self.literal(shown(value, (AS_IT_IS if conversion is None else conversion, layout)))
            case gast.Tuple(elts=items) if plain:
                self._several('(', items, ',)' if len(items) == 1 else ')')
            case gast.List(elts=items) if plain:
                self._several('[', items, ']')
            case gast.Dict(keys=keys, values=items) if plain:
                self._several('{', items, '}', [f'{key.value!r}: ' for key in keys])
            case gast.Name():
                self.layout += f'{{{len(self.values)}' + ('' if conversion in (AS_IT_IS, None) else f'!{chr(conversion)}')
                self.layout += (f':{layout}' if layout else '') + '}'
                self.value(node)
            case _:
                raise self.context.refuse('this text cannot be compiled', 'it shows a text, or several values, in a format',
                                          'put the values into the text one by one')

    def _part(self, part: gast.expr) -> None:
        match part:
            case gast.FormattedValue(value=value, conversion=conversion, format_spec=layout):
                self.add(value, (conversion, ''.join(str(p.value) for p in layout.values) if layout else ''))
            case gast.Constant(value=piece):
                self.literal(str(piece))

    def _several(self, begins: str, items: list[gast.expr], ends: str, titles: list[str] | None = None) -> None:
        self.literal(begins)
        for place, item in enumerate(items):
            self.literal((', ' if place else '') + (titles[place] if titles else ''))
            self.add(item, (REPR, ''))
        self.literal(ends)

    def value(self, node: gast.expr) -> None:
        """One more value, of which no text is made here."""
        match node:
            case gast.Tuple(elts=items) | gast.List(elts=items):
                begins, ends = '()' if isinstance(node, gast.Tuple) else '[]'
                self.kinds.append(begins)
                for item in items:
                    self.value(item)
                self.kinds.append(ends)
            case gast.Constant():
                self._given(node, '-')
            case gast.Name() if isinstance(type_ := self.context.builder.types.get(node.id), Tape):
                self._list(node, type_)
            case gast.Name(id=name) if name in only_shown(self.context.core):
                self._given(node, 'whole')
            case gast.Name():
                value = self.context.value(node)
                self._given(value.node, kind_of(value.type))
            case _:
                raise self.context.refuse('this value cannot be compiled', 'it is no number or array, and no tuple of them')

    def _list(self, node: gast.Name, type_: Tape) -> None:
        if not isinstance(type_.element, Scalar):
            raise self.context.refuse('a list of arrays cannot be shown by compiled code', 'its text is made of numbers',
                                      'show its items one by one')
        numbers = build.call(self.context.target.host.numbers, node, dtype_name(type_.element.dtype))
        self._given(numbers, f'list {kind_of(type_.element)}')

    def _given(self, node: gast.expr, kind: str) -> None:
        self.values.append(node)
        self.kinds.append(kind)

    @property
    def said_of_values(self) -> gast.expr:
        return build.constant(' '.join(self.kinds))


@memoised
def only_shown(core: Core) -> Mapping[str, str]:
    """The integers that are made of floats for texts alone, which may be longer than those of compiled code, and the floats.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT
    >>> text = "n = python.int(v); m = python.int(v); k = m + 1; python.print(f'{n:d} {m}'); return k"
    >>> dict(only_shown(parse(text, types=dict(n=INT, m=INT, k=INT, v=FLOAT))))
    {'n': 'v'}
    """
    made, statements = counts(core.body), core.statements
    found = {defined(s): s.value.args[0].id for s in statements if primitive(getattr(s, 'value', None)) == 'python.int'
             and isinstance(s, gast.Assign) and made[str(defined(s))] == 1 and _is_float(core, s.value.args[0])}
    read = [_read_for_itself(s) for s in statements] if found else []
    return {name: of for name, of in found.items() if name is not None and not any(name in own for own in read)}


def _is_float(core: Core, node: gast.expr) -> bool:
    type_ = core.types.get(node.id) if isinstance(node, gast.Name) else None
    return isinstance(type_, Scalar) and type_.dtype.kind == 'f'


def _read_for_itself(statement: gast.stmt) -> Collection[str]:
    """The names that a statement reads for more than their texts."""
    match statement:
        case gast.Raise():
            return ()
        case gast.Expr(value=gast.Call(func=gast.Name(id='python.print'), keywords=keywords)):
            return [name for keyword in keywords if keyword.arg == 'flush' for name in names(keyword.value)]
    return reads(statement)


def kind_of(type_: Scalar | Array) -> str:
    return type_.dtype.name if isinstance(type_, Scalar) and not type_.weak else '-'


def printed(context: Context, call: gast.Call) -> gast.expr:
    """What stands for a call of `print`."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    text, between = Text(context), given.get('sep', build.constant(' '))
    for place, value in enumerate(call.args):
        if place:
            text.add(between)
        text.add(value)
    text.add(given.get('end', build.constant('\n')))
    stream = given.get('file', build.name('sys.stdout'))
    if not isinstance(stream, gast.Name) or stream.id not in ('sys.stdout', 'sys.stderr'):
        raise context.refuse('`file` of `print` cannot be compiled', 'compiled code prints on standard output and standard error',
                             'leave it out, or print in the caller')
    name, values = build.constant(stream.id.removeprefix('sys.')), build.expression(tuple(text.values))
    flush = context.value(given['flush']).node if 'flush' in given else build.constant(False)
    return build.call(context.target.host.printed, name, build.constant(text.layout), text.said_of_values, values, flush)
