"""The texts of objects, views of dicts, ranges and others that generated code does not have, made of those of their parts."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import re
import types
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, class_of_number, known_range
from transpiler.specialize.domain.pytrees import is_instance
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.objects.instances import is_written
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.mappings import Dict, DictView
from transpiler.specialize.structures.ranges import Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text

Pieces = list[tuple[Binding, Any]]     # values, each with its conversion and format; None beside texts
STR, REPR, FORMAT = ord('s'), ord('r'), -1
LITERALS = (bool, int, float, complex, str, bytes, type(None), type(...), tuple, list, dict, np.ndarray)
LASTING = (enum.Enum, type, types.BuiltinFunctionType, types.ModuleType, np.ufunc, np.dtype, type(NotImplemented), re.Pattern,
           decimal.Decimal, fractions.Fraction, pathlib.PurePath, datetime.date, datetime.time, datetime.timedelta, set,
           frozenset)
BRACKETS = {tuple: '()', list: '[]'}
ADDRESS = re.compile(r' at 0x[0-9a-fA-F]+')


def joined(pieces: Pieces) -> Binding:
    """One text of pieces."""
    if all(form is None and isinstance(part, Known) for part, form in pieces):
        return Known(''.join(part.value for part, _ in pieces))
    return Text(tuple(part for part, _ in pieces), tuple(form for _, form in pieces))


@dataclass(eq=False)
class Texts(Component):
    """What Python makes of a value when it prints it; `deques` are the cells of lists that are such."""

    deques: set[int] = field(default_factory=set)

    def pieces(self, value: Binding, form: tuple[int, str]) -> Pieces:
        """The text of a value, as it is now, of pieces that generated code can write: the value alone, if that is one."""
        conversion, layout = form
        if isinstance(value, Text) and conversion in (STR, FORMAT) and not layout:
            return [piece for one, inner in zip(value.items, value.forms, strict=True)
                    for piece in ([(one, None)] if inner is None else self.pieces(one, inner))]
        if self._is_plain(value) and not isinstance(value, Dict):
            return [(value, form)]
        if layout and conversion != FORMAT:
            text = joined(self.pieces(value, (conversion, '')))
            return [(Known(format(text.value, layout)), None) if isinstance(text, Known) else (text, (STR, layout))]
        found = self._overloaded(value, conversion, layout)
        if found is not None:
            return found
        if layout:
            raise UnsupportedFunction(f'{self.ev.describe(value)} is shown in the format `{layout}`', self.origin,
                                      why='its class has no `__format__`', instead=f'show its text so: `{{...!s:{layout}}}`')
        return self._shown(value, conversion)

    def whole(self, value: Binding) -> Binding:
        """A value as `print` shows it: a text, if generated code does not have it."""
        if self._is_plain(value):
            return value
        return joined(self.pieces(value, (STR, '')))

    def _is_plain(self, value: Binding) -> bool:
        """Whether generated code has this value, and can show it."""
        match value:
            case List(cell=int(cell)) | DynamicList(cell=int(cell)) if cell in self.deques:
                return False
            case Var() | DynamicList() | ArrayList() | Optional() | EitherNumber():
                return True
            case Tuple(items) | List(items) | Dict(items):
                return all(map(self._is_plain, items)) and all(type(key) in LITERALS for key in value.keys)
            case Text(parts, forms):
                return all(form is None or self._is_plain(part) for part, form in zip(parts, forms, strict=True))
            case Known(value):
                return type(value) in LITERALS or isinstance(value, np.generic)
        return False

    def _overloaded(self, value: Binding, conversion: int, layout: str) -> Pieces | None:
        """What the methods give that somebody has written for the class of an object."""
        kind = self.ev.overloads.any_class_of(value)
        if kind is None or isinstance(value, Known) and not is_instance(value.value):
            return None
        given = [('__format__', [Known(layout)])] if conversion == FORMAT else []
        given += [] if layout or conversion not in (STR, FORMAT) else [('__str__', [])]
        given += [] if layout or self._is_made(kind) else [('__repr__', [])]
        for name, args in given:
            method = self.ev.overloads.special(value, name)
            if method is not None:
                text = self.ev.call(method, args, {})
                if isinstance(text, Known) and isinstance(text.value, str):
                    return [(text, None)]
                if isinstance(text, Text):
                    return list(zip(text.items, text.forms, strict=True))
                raise self.ev.inference.failing(TypeError(f'{name} returned non-string'))
        return None

    def _is_made(self, kind: type) -> bool:
        """Whether `dataclass` or `namedtuple` has made the `__repr__` of a class."""
        return self._fields_shown(kind) is not None

    def _fields_shown(self, kind: type) -> tuple[str, list[str]] | None:
        """What a class is called in a text that Python makes of its fields, and these."""
        found = self.ev.attributes.class_attribute(kind, '__repr__')
        made = getattr(found, '__wrapped__', None)
        if dataclasses.is_dataclass(kind) and made is not None and not is_written(made):
            return kind.__qualname__, [one.name for one in dataclasses.fields(kind) if one.repr]
        if issubclass(kind, tuple) and 'repr_fmt' in getattr(getattr(found, '__code__', None), 'co_freevars', ()):
            return kind.__name__, list(kind._fields)
        return None

    def _shown(self, value: Binding, conversion: int) -> Pieces:
        match value:
            case List(cell=int(cell)) | DynamicList(cell=int(cell)) if cell in self.deques:
                return self._between('deque(', [replace(value, cell=None)], ')')
            case DictView(items, which):
                return self._between(f'dict_{which}([', items, '])')
            case Range((start, stop, step)):
                if known_range(value) is None and not isinstance(step, Known):
                    raise UnsupportedFunction('the text of a range whose step shows only at run time is not supported',
                                              self.origin, why='a step of 1 is not shown', instead='show its bounds')
                return self._between('range(', (start, stop) if step == Known(1) else (start, stop, step), ')')
            case Slice(bounds):
                return self._between('slice(', bounds, ')')
            case Tuple(items) | List(items):
                begins, ends = BRACKETS[value.written]
                return self._between(begins, items, f',{ends}' if isinstance(value, Tuple) and len(items) == 1 else ends)
            case Dict(items, keys):
                return self._between('{', items, '}', [f'{self._of_key(key)}: ' for key in keys])
            case Known(found) if isinstance(found, LASTING) or class_of_number(found) is not None:
                text = {STR: str, FORMAT: format, REPR: repr}.get(conversion, ascii)(found)
                if not ADDRESS.search(text):
                    return [(Known(text), None)]
        kind = self.ev.overloads.any_class_of(value)
        named = None if kind is None else self._fields_shown(kind)
        if named is None:
            raise UnsupportedFunction(f'the text of {self.ev.describe(value)} is not supported', self.origin,
                                      why='it tells where something lies in memory, or may change between two calls',
                                      instead='show what is in it, or give its class a `__repr__`' if kind else 'write a text')
        title, fields = named
        parts = [self.ev.current(self.ev.attribute(value, name)) for name in fields]
        return self._between(f'{title}(', parts, ')', [f'{name}=' for name in fields])

    def _of_key(self, key: Any) -> str:
        return ''.join(part.value for part, _ in self.pieces(Known(key), (REPR, ''))) if type(key) not in LITERALS else repr(key)

    def _between(self, begins: str, items: Iterable[Binding], ends: str, titles: Iterable[str] | None = None) -> Pieces:
        items = list(items)
        pieces: Pieces = [(Known(begins), None)]
        for place, (item, title) in enumerate(zip(items, titles or [''] * len(items), strict=True)):
            pieces.append((Known((', ' if place else '') + title), None))
            pieces += self.pieces(item, (REPR, ''))
        return [*pieces, (Known(ends), None)]
