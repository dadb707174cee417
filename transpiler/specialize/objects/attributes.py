"""Attributes of objects of the program, as Python looks them up: descriptors, what the object holds, what its class has."""

from __future__ import annotations

import collections
import enum
import functools
import types
from typing import Any

from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnsupportedFunction, UnsupportedSyntax
from transpiler.source.reading.capture import MISSING
from transpiler.specialize.domain.bindings import Binding, Closure, Known, Method, Partial, class_of_number, flatten, leaf_type
from transpiler.specialize.domain.consulted import vars_of
from transpiler.specialize.domain.pytrees import can_change, is_instance
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.objects import Object, Super
from transpiler.specialize.structures.ranges import Slice
from transpiler.values.types import Array

WRITTEN = property, types.FunctionType, classmethod, staticmethod  # what a class gives its instances as source
SLOT = types.MemberDescriptorType  # keeps its value in the instance


class Attributes(Component):
    """Of a known instance, or one taken apart, an `Object`."""

    def attribute(self, base: Binding, name: str) -> Binding:
        match base:
            case Super((instance,), kind):
                return self._inherited(self.ev.current(instance), kind, name)
            case Object(type=kind):
                return self._of_parts(base, kind, name)
            case Known(value) if is_instance(value):
                return self._of_instance(base, value, name)
            case Known(enum.Enum() as member):
                return self._of_member(base, member, name)
            case Var(name=variable) if variable in self.ev.sizes.classes:
                return self._of_number(base, self.ev.sizes.classes[variable], name)
            case Known(value) if (kind := class_of_number(value)) is not None:
                return self._of_number(base, kind, name)
        return self.ev.expressions.attribute(base, name)

    def _of_parts(self, instance: Object, kind: type, name: str) -> Binding:
        if name == '__class__':
            return Known(kind)
        if issubclass(kind, tuple) and name in instance.keys:
            return instance.item(name)
        found = self.class_attribute(kind, name)
        if name in instance.keys and not self.sets(found):
            return instance.item(name)
        if found is MISSING or isinstance(found, SLOT):
            return self._missing(instance, kind, name)
        return self._from_class(instance, kind, name, found)

    def _of_instance(self, base: Known, value: Any, name: str) -> Binding:
        """Methods and the like are written here; all else is what Python finds, at each call."""
        kind = self.ev.captures.consulted.class_of(value)
        found = self.class_attribute(kind, name)
        usual = self.class_attribute(kind, '__getattribute__') is object.__getattribute__
        written = isinstance(found, WRITTEN) or isinstance(self._getter(found), types.FunctionType)
        written = written and not isinstance(found, functools.cached_property)  # which the object holds once it is read
        if usual and written and (self.sets(found) or not self.ev.captures.consulted.has_own(value, name)):
            return self._from_class(base, kind, name, found)
        return self.ev.expressions.attribute(base, name)

    def _of_member(self, base: Known, member: enum.Enum, name: str) -> Binding:
        found = self.class_attribute(type(member), name)
        if isinstance(found, WRITTEN):
            return self._from_class(base, type(member), name, found)
        if hasattr(member, name):
            return self.ev.captures.object_value(member, name, getattr(member, name))
        return self.ev.expressions.attribute(base, name)

    def _of_number(self, base: Binding, kind: type, name: str) -> Binding:
        """A method or property of a class of numbers; all else as of Python's own."""
        found = self.class_attribute(kind, name)
        if isinstance(found, WRITTEN):
            return self._from_class(base, kind, name, found)
        if isinstance(base, Known) and name in vars_of(base.value):
            return self.ev.captures.object_value(base.value, name, vars_of(base.value)[name])
        if found is not MISSING and not hasattr(type(found), '__get__'):
            return self.ev.captures.object_value(kind, name, found)
        return self.ev.expressions.attribute(base, name)

    def has_attribute(self, value: Known | Object, name: str) -> bool:
        """What `hasattr` gives for an object."""
        if isinstance(value, Known):
            known = value.value
            self.ev.captures.consulted.ask(known, ('has', name), lambda: hasattr(known, name), hasattr(known, name))
            return hasattr(known, name)
        found = self.class_attribute(value.type, name)
        has = name in value.keys or not (found is MISSING or isinstance(found, SLOT))
        if not has:
            self._refuse_if_asked(value.type, name)
        return has

    def class_attribute(self, kind: type, name: str) -> Any:
        """What a class has under a name, without binding it; MISSING if nothing."""
        return self.ev.captures.consulted.attribute_of_class(kind, name)

    def sets(self, found: Any) -> bool:
        """Whether what a class has goes before what the instance holds: a descriptor that sets."""
        if found is MISSING or isinstance(found, SLOT):
            return False
        return any(self.class_attribute(type(found), name) is not MISSING for name in ('__set__', '__delete__'))

    def _getter(self, found: Any) -> Any:
        return MISSING if found is MISSING else self.class_attribute(type(found), '__get__')

    def class_of_instance(self, instance: Binding) -> type:
        """The class of an object; a class, as class methods are given it, counts as its own."""
        match instance:
            case Object(type=type() as kind) | Known(type() as kind):
                return kind
            case Known(value) if is_instance(value):
                return self.ev.captures.consulted.class_of(value)
            case Known(value) if isinstance(value, enum.Enum) or class_of_number(value) is not None:
                return type(value)
            case Var(name) if name in self.ev.sizes.classes:
                return self.ev.sizes.classes[name]
        raise UnsupportedFunction(f'`super` of {self.ev.describe(instance)} is not supported', self.origin,
                                  instead='call the method of the base class by name')

    def _inherited(self, instance: Binding, after: type, name: str) -> Binding:
        """What `super(after, instance)` finds: the first beyond `after` in the order of the instance's classes."""
        kind = self.class_of_instance(instance)
        found = self.ev.captures.consulted.attribute_beyond(kind, after, name)
        beyond = kind.__mro__[kind.__mro__.index(after) + 1:]
        return self._from_class(instance, next((c for c in beyond if name in vars(c)), object), name, found)

    def _from_class(self, instance: Binding, holder: type, name: str, found: Any) -> Binding:
        """What a class holds under a name, for one instance of it."""
        match found:
            case types.FunctionType(__globals__=scope) if (
                    scope is vars(collections) and self.ev.changes.has_method(instance, name)):
                return Method(instance, name)
            case types.FunctionType() as function:
                return Partial(Closure(self.ev.captures.source_of(function)), (instance,))
            case property(fget=types.FunctionType() as getter):
                return self.ev.inline(Closure(self.ev.captures.source_of(getter)), [instance], {})
            case staticmethod(__func__=types.FunctionType() as function):
                return Closure(self.ev.captures.source_of(function))
            case classmethod(__func__=types.FunctionType() as function):
                return Partial(Closure(self.ev.captures.source_of(function)), (Known(self.class_of_instance(instance)),))
            case functools.cached_property(func=types.FunctionType() as function):
                return self._cached(instance, name, self.ev.inline(Closure(self.ev.captures.source_of(function)), [instance], {}))
            case object.__init__ | object.__setattr__ | object.__getattribute__:
                return Partial(Known(found), (instance,))
        getter = self._getter(found)
        if isinstance(getter, types.FunctionType):
            given = [Known(found), instance, Known(self.class_of_instance(instance))]
            return self.ev.inline(Closure(self.ev.captures.source_of(getter)), given, {})
        if found is not MISSING and getter is MISSING:
            return self.ev.captures.object_value(holder, name, found)
        raise TranspileError(f'an object of the class `{holder.__name__}` has no attribute `{name}`', self.origin)

    def _missing(self, instance: Object, kind: type, name: str) -> Binding:
        """Python asks `__getattr__` for what neither the object nor its class has."""
        asked = self.class_attribute(kind, '__getattr__')
        if isinstance(asked, types.FunctionType):
            return self.ev.inline(Closure(self.ev.captures.source_of(asked)), [instance, Known(name)], {})
        raise TranspileError(f'an object of the class `{kind.__name__}` has no attribute `{name}`', self.origin)

    def _refuse_if_asked(self, kind: type, name: str) -> None:
        if self.class_attribute(kind, '__getattr__') is not MISSING:
            raise UnsupportedFunction(f'whether an object of the class `{kind.__name__}` has `{name}` is not known', self.origin,
                                      why='its `__getattr__` may raise', instead='name the attribute in the class')

    def _cached(self, instance: Binding, name: str, value: Binding) -> Binding:
        """What a `cached_property` gives is an attribute from then on."""
        if isinstance(instance, Object) and instance.mutable:
            self.put_attribute(instance, name, value)
            return self.ev.current(self.ev.current(instance).item(name))
        if all(leaf_type(leaf) is None or self.ev.operands.is_scalar(leaf) for leaf in flatten(self.ev.apart_from_cells(value))):
            return value
        raise UnsupportedFunction(f'the `cached_property` `{name}` gives an array', self.origin,
                                  why='all who read it share that array, and see what one of them writes into it',
                                  instead='use a `property`')

    def set_attribute(self, base: Binding, name: str, value: Binding) -> None:
        """`base.name = value`."""
        if name == 'flat' and isinstance(base, Var):
            self.ev.distribution.store(self.ev.attribute(base, name), Slice((Known(None),) * 3), value)
            return
        if self.is_part(base, name):
            self.ev.distribution.store(self.ev.attribute(base, name), Known(...), value)
            return
        kind = self._class_that_changes(base, name)
        setter = self.class_attribute(kind, '__setattr__')
        if setter is object.__setattr__:
            self.set_as_usual(base, name, value)
        elif isinstance(setter, types.FunctionType) and can_change(kind):
            self.ev.inline(Closure(self.ev.captures.source_of(setter)), [base, Known(name), value], {})
        else:
            raise self._cannot_set(f'`{kind.__name__}`', name)

    def is_part(self, base: Binding, name: str) -> bool:
        """Whether `base.name` shows memory of an array, and may be written as a whole; real numbers have no imaginary parts."""
        type_ = base.type if isinstance(base, Var) else None
        return isinstance(type_, Array) and (name == 'real' or name == 'imag' and type_.dtype.kind == 'c')

    def set_as_usual(self, base: Binding, name: str, value: Binding) -> None:
        """What `object.__setattr__` does: a descriptor of the class sets the value, or the object holds it."""
        kind = self._class_that_changes(base, name)
        found = self.class_attribute(kind, name)
        if isinstance(found, property):
            if not isinstance(found.fset, types.FunctionType):
                raise TranspileError(f'the property `{name}` of `{kind.__name__}` has no setter', self.origin,
                                     why='Python raises AttributeError')
            self.ev.inline(Closure(self.ev.captures.source_of(found.fset)), [base, value], {})
        elif self.sets(found):
            setter = self.class_attribute(type(found), '__set__')
            if not isinstance(setter, types.FunctionType):
                raise UnsupportedSyntax(f'the descriptor `{name}` of `{kind.__name__}` is set', self.origin,
                                        why='its `__set__` is no Python function', instead='call a method')
            self.ev.inline(Closure(self.ev.captures.source_of(setter)), [Known(found), base, value], {})
        elif not kind.__dictoffset__ and not isinstance(found, SLOT):
            raise TranspileError(f'an object of the class `{kind.__name__}` has no slot `{name}`', self.origin,
                                 why='Python raises AttributeError')
        else:
            self.put_attribute(base, name, value)

    def put_attribute(self, base: Binding, name: str, value: Binding) -> None:
        """The object holds the value from now on."""
        base = self.ev.current(base)
        before = dict(zip(base.keys, base.items, strict=True))
        if before.get(name) is value:   # changed in place
            return
        parts = before | {name: value}
        self.ev.elements.change(base, tuple(parts.values()), tuple(parts))

    def _class_that_changes(self, base: Binding, name: str) -> type:
        if isinstance(base, Object) and base.mutable:
            return base.type
        kind = getattr(base, 'type', None)
        raise self._cannot_set(f'`{kind.__name__}`' if isinstance(kind, type) else self.ev.describe(base), name)

    def _cannot_set(self, what: str, name: str) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f'a write to the attribute `{name}` of {what} is not supported',
            self.origin,
            why='it changes an object behind the caller, or one that cannot change',
            instead='return the new value, or make a new object: `dataclasses.replace`',
        )
