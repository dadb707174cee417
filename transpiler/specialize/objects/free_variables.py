"""What free names mean: values of closures and globals, members of modules, primitives of core programs."""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transpiler.core.naming import unique
from transpiler.core.query import RAISES
from transpiler.core.variables import Var
from transpiler.errors import SourceNotFound, TranspileError, UnsupportedSyntax
from transpiler.garbage import while_making
from transpiler.normalize.refusals import REFUSALS
from transpiler.rules.base.registry import RULES
from transpiler.source.reading.capture import MISSING, Function, capture, reader_of
from transpiler.source.reading.module import ModuleValue
from transpiler.specialize.domain.abstraction import abstract, is_data, leaves_of
from transpiler.specialize.domain.bindings import Binding, Known, Ref, flatten
from transpiler.specialize.domain.consulted import Consulted
from transpiler.specialize.domain.keys import lies_in_order
from transpiler.specialize.domain.literals import class_at
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import PRIMITIVES, primitive
from transpiler.specialize.evaluation.frames import Capture, Expansion
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Context
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import Type, Unknown


@dataclass(eq=False)
class FreeNames(Component):
    """Numbers and arrays become inputs, read at each call; everything else is known, and checked to stay what it is."""

    found: dict[tuple[int, str], Capture] = field(default_factory=dict)
    consulted: Consulted = field(default_factory=Consulted)
    parameters: set[str] = field(default_factory=set)  # the names that the generated function has as parameters

    def free_value(
        self, function: Function, name: str, value: Any, read: Callable[[], Any] | None = None, owner: Any = None
    ) -> Binding:
        """What a free name means. Numbers and arrays become inputs, read at each call; the rest is checked to be the same.

        `owner` is what the name belongs to, if that is not the scope of `function`.
        """
        read = read or reader_of(function.scope, name)
        if isinstance(value, ModuleValue):
            return self._module_value(name, value)
        if is_data(value) and not isinstance(value, (str, bool)):
            home = owner if owner is not None else getattr(function.scope, 'function', function.scope)
            return self._captured((id(home), name), value, read)
        if not isinstance(value, types.ModuleType):
            self.consulted.content(getattr(function.scope, 'function', function.scope), name, read, value)
        return Known(value)

    def _captured(self, key: tuple[int, str], value: Any, read: Callable[[], Any]) -> Binding:
        """An input for a value from around the program, or parts of it where constants are needed."""
        if key not in self.found:
            name = unique(key[1].rsplit('.', 1)[-1], self.parameters)
            self.parameters.add(name)
            given, made = iter(enumerate(leaves_of(value))), []

            def variable(base: str, type_: Type) -> Binding:
                place, leaf = next(given)
                made.append(self._input(base, type_))
                self.ev.sizes.given_number(made[-1], leaf, (name, place))
                self.ev.ordered.update([made[-1].name] if lies_in_order(leaf) else [])
                if (key, place) not in self.ev.static_captures:
                    return made[-1]
                self.consulted.content(read, place, lambda: tuple(leaves_of(read())[place:place + 1]), (leaf,))
                return Known(leaf)

            self.found[key] = Capture(name, key, abstract(value, name, variable, self.ev.sizes.letters.of), read, tuple(made))
        return self._still_held(self.found[key])

    def _still_held(self, capture: Capture) -> Binding:
        """The captured value as names hold it; its cells may have been made in a trial that was discarded."""
        if capture.held is None or any(isinstance(part, Ref) and part.cell not in self.ev.heap.contents
                                       for part in flatten(capture.held)):
            why = f'`{capture.name}` belongs to the caller, who would see the change or not, depending on the transformation'
            capture.held = self.ev.held(capture.binding, why)
        return capture.held

    def _input(self, name: str, type_: Type) -> Var:
        """A variable for a captured value; it stays, even if the code that asked for it first is written anew."""
        return self.builder.fresh(name, type_, lasting=True)

    def _module_value(self, name: str, value: ModuleValue) -> Binding:
        key = (0, name)
        if isinstance(value.value, (str, bool, type(None))) or (key, 0) in self.ev.static_captures:
            return Known(value.value)
        if key not in self.found:
            known = is_data(value.value)
            if known:
                binding = abstract(value.value, name, self._input, self.ev.sizes.letters.of)
            else:
                binding = self._input(name, Unknown())
            self.found[key] = Capture(name, key, binding, lambda: value, ())
        return self._still_held(self.found[key])

    def object_value(self, owner: Any, name: str, value: Any) -> Binding:
        """An attribute of a known object: data is read at each call, but for the constants of libraries."""
        if isinstance(owner, FACTS) or isinstance(owner, types.ModuleType) and _is_library_module(owner):
            return Known(value)
        if isinstance(value, type) or not is_data(value):
            if not isinstance(value, types.ModuleType):
                self.consulted.content(owner, ('attribute', name), lambda: getattr(owner, name, MISSING), value)
            return Known(value)
        prefix = owner.__name__ if isinstance(owner, (types.ModuleType, type)) else type(owner).__name__
        holder = Function(prefix, None, '', (), _Attributes(owner))
        return self.free_value(holder, f'{prefix}.{name}', value, read=lambda: getattr(owner, name), owner=owner)

    def dotted(self, name: str) -> Binding:
        """A primitive named in generated code."""
        if name in PRIMITIVES:
            return Known(name)
        if name in RULES:
            rule = RULES[name]
            return Known(rule.primitive if isinstance(rule.primitive, type) else rule)  # `np.float64` is a dtype as well
        if name.startswith(RAISES):
            return Known(class_at(name.removeprefix(RAISES)))
        module, _, attribute = name.rpartition('.')
        if module == 'call':
            return Known(self.ev.functions[attribute])
        if module in ('inline', 'rule'):
            return Known(Expansion(module, self.ev.functions[attribute]))
        if module == 'python':
            return Known(getattr(builtins, attribute))
        if module == 'sys':
            return Known(getattr(sys, attribute))
        if module == 'numpy':
            return Known(getattr(np, attribute))
        raise SourceNotFound(f'`{name}` is no primitive', self.origin)

    @primitive('python.with')
    def open_context(self, context: Binding) -> Known:
        """`with`: what is inside runs as it stands, if the context manager does nothing to it."""
        if not isinstance(context, Context):
            what, why, instead = REFUSALS['with']
            raise UnsupportedSyntax(what, self.origin, why=why, instead=instead)
        return Known(None)

    @primitive('python.has_key')
    def has_key(self, container: Binding, key: Binding) -> Known:
        """Whether asking for an item raises no KeyError; only dicts raise it."""
        match container:
            case Dict(keys=keys):
                return Known(self.ev.known(key, 'a dict key') in keys)
            case Known(dict() as known):
                return Known(self.ev.known(key, 'a dict key') in known)
            case List() | Tuple() | DynamicList() | ArrayList() | Var():
                return Known(True)
        raise UnsupportedSyntax('`try` is not supported here', self.origin, why='which way it goes does not show',
                                instead='test for the bad case with `if`')

    @primitive('python.import')
    def import_module(self, name: Known, beside: Known) -> Known:
        """The module `name`; what is `beside` it may be a module too, or something in this one."""
        try:
            module = importlib.import_module(name.value)
            if beside.value and not hasattr(module, beside.value.rpartition('.')[2]):
                importlib.import_module(beside.value)
        except (ImportError, TypeError) as error:  # a relative name without a package is a TypeError
            raise TranspileError(f'`{name.value}` cannot be imported', self.origin, why=str(error)) from None
        return Known(module)

    def source_of(self, function: Any) -> Function:
        """A function of the program, as source; it is asked at each call whether it is what it was."""
        self.consulted.function(function)
        return capture(function)

    def template(self, function: Callable) -> Function:
        """A rule's template or a definition, as source."""
        return _template(function)


@while_making(1_000)
def _template(function: Callable) -> Function:
    return capture(function)


class _Attributes:
    def __init__(self, owner):
        self.owner = owner

    def lookup(self, name: str) -> Any:
        return getattr(self.owner, name.rsplit('.', 1)[-1])


FACTS = (np.dtype, np.finfo, np.iinfo, range)  # objects whose attributes never change


def _is_library_module(module: types.ModuleType) -> bool:
    return module.__name__.split('.')[0] in ('numpy', 'scipy', 'math')
