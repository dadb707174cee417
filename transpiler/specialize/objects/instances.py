"""Instances of classes of the program that are made while it runs."""

from __future__ import annotations

import dataclasses
import types
from dataclasses import replace
from typing import Any

from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.source.reading.capture import MISSING, Function
from transpiler.specialize.domain.abstraction import is_data
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.domain.pytrees import can_change, check_class
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.objects import Object


class Objects(Component):
    """What a class makes when it is called."""

    def instance(self, kind: type, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """`kind(*args, **keywords)` for a class of the program."""
        check_class(kind, self.ev.attributes.class_attribute, self.origin)
        made = self.ev.current(self.ev.held(Object((), (), kind, mutable=True)))
        init = self.ev.attributes.class_attribute(kind, '__init__')
        if not dataclasses.is_dataclass(kind) or is_written(init):
            if init is not object.__init__:
                self.ev.inline(Closure(self.ev.captures.source_of(init)), [made, *args], keywords)
            elif args or keywords:
                raise TranspileError(f'`{kind.__name__}` takes no arguments', self.origin)
        else:
            for name, value in self._dataclass_fields(kind, args, keywords).items():
                self.ev.attributes.set_as_usual(made, name, value)
                made = self.ev.current(made)
            after = self.ev.attributes.class_attribute(kind, '__post_init__')
            if after is not MISSING:
                self.ev.inline(Closure(self.ev.captures.source_of(after)), [made], {})
        made = self.ev.current(made)
        return made if can_change(kind) else replace(made, mutable=False, cell=None)

    def _dataclass_fields(self, kind: type, args: list[Binding], keywords: dict[str, Binding]) -> dict[str, Binding]:
        """The fields of a dataclass, from the arguments of its constructor and the defaults."""
        fields = [f for f in dataclasses.fields(kind) if f.init]
        positional = [f.name for f in fields if not f.kw_only]
        if len(args) > len(positional):
            raise TranspileError(f'`{kind.__name__}` takes {len(positional)} positional arguments', self.origin)
        given = dict(zip(positional, args, strict=False))
        for name, value in keywords.items():
            if name in given or name not in [f.name for f in fields]:
                raise TranspileError(f'`{kind.__name__}` got an unexpected keyword `{name}`', self.origin)
            given[name] = value
        parts = {}
        for field in dataclasses.fields(kind):
            if field.name in given:
                parts[field.name] = given[field.name]
            elif field.default is not dataclasses.MISSING:
                parts[field.name] = self._default_of_field(kind, field)
            elif field.default_factory is not dataclasses.MISSING:
                parts[field.name] = self.ev.held(self.ev.call(Known(field.default_factory), [], {}))
            elif field.init:
                raise TranspileError(f'`{kind.__name__}` is missing the argument `{field.name}`', self.origin)
        return parts

    def _default_of_field(self, kind: type, field: dataclasses.Field) -> Binding:
        """The default that the constructor was made with, whatever stands in the class by now."""
        if not is_data(field.default):
            return Known(field.default)
        holder = Function(kind.__name__, None, '', (), None)
        return self.ev.captures.free_value(holder, f'{kind.__name__}.{field.name}', field.default, lambda: field.default, field)

    def replaced(self, instance: Binding, changes: dict[str, Binding]) -> Binding:
        """`dataclasses.replace(instance, **changes)`."""
        if not isinstance(instance, Object) or not dataclasses.is_dataclass(instance.type):
            raise UnsupportedFunction(f'`dataclasses.replace` of {self.ev.describe(instance)} is not supported', self.origin)
        if unknown := changes.keys() - set(instance.keys):
            raise TranspileError(f'`{instance.type.__name__}` has no field `{min(unknown)}`', self.origin)
        parts = dict(zip(instance.keys, instance.items, strict=True)) | changes
        return self.instance(instance.type, [], parts)


def is_written(function: Any) -> bool:
    """Whether somebody wrote this function; what `dataclass` makes has no file."""
    return isinstance(function, types.FunctionType) and function.__code__.co_filename != '<string>'
