"""What free names mean: values of closures and globals, members of modules, primitives of core programs."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from transpiler.core import build
from transpiler.core.query import RAISES
from transpiler.errors import SourceNotFound, TranspileError
from transpiler.rules.registry import RULES
from transpiler.source.capture import MISSING, Function
from transpiler.source.module import ModuleValue
from transpiler.specialize.arguments import abstract, is_data
from transpiler.specialize.bindings import Binding, Known, Var, content
from transpiler.specialize.context import Capture
from transpiler.specialize.expressions import Expressions
from transpiler.specialize.literals import class_at
from transpiler.values.joining import join_types
from transpiler.values.types import FLOAT, Tape, Type, Unknown


class FreeNames(Expressions):
    """Numbers and arrays become inputs, read at each call; everything else is known, and checked to stay what it is."""

    def free_value(self, function: Function, name: str, value: Any, read: Callable[[], Any] | None = None) -> Binding:
        """What a free name means. Numbers and arrays become inputs, read at each call; the rest is checked to be the same."""
        read = read or (lambda: function.scope.lookup(name))
        if isinstance(value, ModuleValue):
            return self._module_value(name, value)
        if name in self.static_captures:
            return Known(self.static_captures[name])
        if is_data(value) and not isinstance(value, (str, bool)):
            key = (id(function.scope) if not hasattr(function.scope, 'function') else id(function.scope.function), name)
            if key not in self.captures:
                short = name.rsplit('.', 1)[-1]
                binding = abstract(value, short, self._input, self.letters.of)
                self.captures[key] = Capture(short, binding, read)
            return self.captures[key].binding
        if not isinstance(value, types.ModuleType):
            self.guards.append((lambda: content(read()), content(value)))
        return Known(value)

    def _input(self, name: str, type_: Type) -> Var:
        """A variable for a captured value; it stays, even if the code that asked for it first is written anew."""
        return self.builder.fresh(name, type_, lasting=True)

    def _module_value(self, name: str, value: ModuleValue) -> Binding:
        key = (0, name)
        if name in self.static_captures:
            return Known(self.static_captures[name])
        if isinstance(value.value, (str, bool, type(None))):
            return Known(value.value)
        if key not in self.captures:
            known = is_data(value.value)
            binding = abstract(value.value, name, self._input, self.letters.of) if known else self._input(name, Unknown())
            self.captures[key] = Capture(name, binding, lambda: value)
        return self.captures[key].binding

    def object_value(self, owner: Any, name: str, value: Any) -> Binding:
        """An attribute of a known object: of a module it is what it is; of anything else data is refused for now."""
        if (
            isinstance(owner, types.ModuleType)
            and is_data(value)
            and not isinstance(value, (str, bool))
            and not _is_library_module(owner)
        ):
            holder = Function(owner.__name__, None, '', (), _Attributes(owner))
            return self.free_value(holder, f'{owner.__name__}.{name}', value, read=lambda: getattr(owner, name))
        if isinstance(owner, types.ModuleType) and _is_library_module(owner):
            return Known(value)
        if isinstance(owner, types.ModuleType) or isinstance(value, type) or not is_data(value):
            if not isinstance(value, types.ModuleType):
                self.guards.append((lambda: content(getattr(owner, name, MISSING)), content(value)))
            return Known(value)
        raise TranspileError(
            f'the attribute `{name}` of an object of type `{type(owner).__name__}` is not read yet',
            self.origin,
            why='objects with state are not captured yet',
            instead='pass the value as an argument',
        )

    def dotted(self, name: str) -> Binding:
        """A primitive named in generated code."""
        if name in SPECIAL:
            return Known(name)
        if name in RULES:
            rule = RULES[name]
            return Known(rule.primitive if isinstance(rule.primitive, type) else rule)  # `np.float64` is a dtype as well
        if name.startswith(RAISES):
            return Known(class_at(name.removeprefix(RAISES)))
        module, _, attribute = name.rpartition('.')
        if module == 'call':
            return Known(self.functions[attribute])
        if module == 'python':
            return Known(getattr(builtins, attribute))
        if module == 'numpy':
            return Known(getattr(np, attribute))
        raise SourceNotFound(f'`{name}` is no primitive', self.origin)

    def new_tape(self) -> Var:
        return self.builder.define('tape', build.call('tape.new'), Tape())

    def push_tape(self, tape: Var, value: Binding) -> Known:
        atom, type_ = self.operand(value)
        known: Type = self.builder.types[tape.name]
        self.builder.types[tape.name] = join_types(known, Tape(type_))
        self.builder.effect(build.call('tape.push', tape.name, atom))
        return Known(None)

    def pop_tape(self, tape: Var) -> Var:
        element = self.builder.types[tape.name].element
        return self.builder.define('item', build.call('tape.pop', tape.name), FLOAT if element is None else element)


class _Attributes:
    def __init__(self, owner):
        self.owner = owner

    def lookup(self, name: str) -> Any:
        return getattr(self.owner, name.rsplit('.', 1)[-1])


SPECIAL = {'tape.new': 'new_tape', 'tape.push': 'push_tape', 'tape.pop': 'pop_tape'}


def _is_library_module(module: types.ModuleType) -> bool:
    return module.__name__.split('.')[0] in ('numpy', 'scipy', 'math')
