"""Objects of the program: attributes, properties, methods, and instances made while it runs."""

from __future__ import annotations

import collections
import dataclasses
import inspect
import types
from typing import Any

from transpiler.errors import TranspileError, UnsupportedFunction, UnsupportedSyntax
from transpiler.source.capture import capture
from transpiler.specialize.bindings import Binding, Closure, Container, Known, Method, Partial, Var
from transpiler.specialize.captures import FreeNames
from transpiler.specialize.structures import can_change, check_class, class_attribute, is_instance

MISSING = inspect.Parameter.empty


class Objects(FreeNames):
    """A known instance, or one taken apart (`Container`s of kind 'object' and, where it can change, 'state')."""

    def attribute(self, base: Binding, name: str) -> Binding:
        match base:
            case Container('super', (instance,), _, kind):
                return self._inherited(self.current(instance), kind, name)
            case Container('object' | 'state', _, keys, kind) if name not in keys:
                return self._class_attribute(base, kind, name)
            case Container('state'):
                return base.item(name)
            case Container('tuple', items, _, type() as kind) if name in kind._fields:  # `np.linalg.svd(a).S`
                return items[kind._fields.index(name)]
            case Known(value) if is_instance(value) and not hasattr(type(value), '__getattr__'):
                own = class_attribute(type(value), name)
                if isinstance(own, (property, types.FunctionType, classmethod, staticmethod)) and name not in vars_of(value):
                    return self._class_attribute(base, type(value), name)
        return super().attribute(base, name)

    def class_of_instance(self, instance: Binding) -> type:
        """The class of an object; a class, as class methods are given it, counts as its own."""
        match instance:
            case Container('object' | 'state', type=type() as kind) | Known(type() as kind):
                return kind
            case Known(value) if is_instance(value):
                return type(value)
        raise UnsupportedFunction(f'`super` of {self.describe(instance)} is not supported', self.origin,
                                  instead='call the method of the base class by name')

    def _class_attribute(self, instance: Binding, kind: type, name: str) -> Binding:
        """What a class gives its instances: methods, properties, constants."""
        return self._from_class(instance, kind, name, class_attribute(kind, name))

    def _inherited(self, instance: Binding, after: type, name: str) -> Binding:
        """What `super(after, instance)` finds: the first beyond `after` in the order of the instance's classes."""
        order = self.class_of_instance(instance).__mro__
        holder = next((c for c in order[order.index(after) + 1:] if name in vars(c)), object)
        return self._from_class(instance, holder, name, vars(holder).get(name, MISSING))

    def _from_class(self, instance: Binding, holder: type, name: str, found: Any) -> Binding:
        """What a class holds under a name, for one instance of it."""
        match found:
            case types.FunctionType(__globals__=scope) if scope is vars(collections) and self.has_method(instance, name):
                return Method(instance, name)
            case types.FunctionType() as function:
                return Partial(Closure(capture(function)), (instance,))
            case property(fget=types.FunctionType() as getter):
                return self.inline(Closure(capture(getter)), [instance], {})
            case staticmethod(__func__=types.FunctionType() as function):
                return Closure(capture(function))
            case classmethod(__func__=types.FunctionType() as function):
                return Partial(Closure(capture(function)), (Known(self.class_of_instance(instance)),))
            case object.__init__:
                return Partial(Known(found), (instance,))
            case found if found is not MISSING and not hasattr(type(found), '__get__'):
                return self.object_value(holder, name, found)
        raise TranspileError(f'an object of the class `{holder.__name__}` has no attribute `{name}`', self.origin)

    def set_attribute(self, base: Binding, name: str, value: Binding) -> None:
        """`base.name = value`."""
        if name == 'flat' and isinstance(base, Var):
            self.store(self.attribute(base, name), Container('slice', (Known(None),) * 3), value)
            return
        if not isinstance(base, Container) or base.kind != 'state':
            what = f'`{base.type.__name__}`' if isinstance(base, Container) and base.type else self.describe(base)
            raise UnsupportedSyntax(
                f'a write to the attribute `{name}` of {what} is not supported',
                self.origin,
                why='it changes an object behind the caller, or one that cannot change',
                instead='return the new value, or make a new object: `dataclasses.replace`',
            )
        if isinstance(class_attribute(base.type, name), property):
            raise UnsupportedSyntax(f'the property `{name}` is set', self.origin, instead='call a method')
        base = self.current(base)
        before = dict(zip(base.keys, base.items, strict=True))
        if before.get(name) is value:   # changed in place
            return
        parts = before | {name: value}
        self.change(base, tuple(parts.values()), tuple(parts))

    def instance(self, kind: type, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """`kind(*args, **keywords)` for a class of the program."""
        check_class(kind, self.origin)
        if not dataclasses.is_dataclass(kind) or '__init__' in vars(kind) and is_written(kind.__init__):
            made = self.current(self.held(Container('state', (), (), kind)))
            if kind.__init__ is not object.__init__:
                self.inline(Closure(capture(kind.__init__)), [made, *args], keywords)
            elif args or keywords:
                raise TranspileError(f'`{kind.__name__}` takes no arguments', self.origin)
            return self.current(made)
        parts = self._dataclass_fields(kind, args, keywords)
        made = Container('state' if can_change(kind) else 'object', tuple(parts.values()), tuple(parts), kind)
        if hasattr(kind, '__post_init__'):
            if not can_change(kind):
                raise UnsupportedFunction(f'`{kind.__name__}.__post_init__` of a frozen class is not supported', self.origin)
            made = self.current(self.held(made))
            self.inline(Closure(capture(kind.__post_init__)), [made], {})
        return self.current(made)

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
                parts[field.name] = self.object_value(kind, field.name, field.default)
            elif field.default_factory is not dataclasses.MISSING:
                parts[field.name] = self.held(self.call(Known(field.default_factory), [], {}))
            elif field.init:
                raise TranspileError(f'`{kind.__name__}` is missing the argument `{field.name}`', self.origin)
        return parts

    def replaced(self, instance: Binding, changes: dict[str, Binding]) -> Binding:
        """`dataclasses.replace(instance, **changes)`."""
        if not isinstance(instance, Container) or not dataclasses.is_dataclass(instance.type):
            raise UnsupportedFunction(f'`dataclasses.replace` of {self.describe(instance)} is not supported', self.origin)
        if unknown := changes.keys() - set(instance.keys):
            raise TranspileError(f'`{instance.type.__name__}` has no field `{min(unknown)}`', self.origin)
        parts = dict(zip(instance.keys, instance.items, strict=True)) | changes
        return self.instance(instance.type, [], parts)


def is_written(function: Any) -> bool:
    """Whether somebody wrote this function; what `dataclass` makes has no file."""
    return isinstance(function, types.FunctionType) and function.__code__.co_filename != '<string>'


def vars_of(value: Any) -> dict[str, Any]:
    return getattr(value, '__dict__', {})
