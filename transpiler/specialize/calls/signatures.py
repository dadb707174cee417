"""Matching the arguments of a call to the parameters of a function of the program, as Python does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.dataflow.source_liveness import read_once
from transpiler.errors import Origin, TranspileError, UnsupportedSyntax
from transpiler.normalize.flags import RESULT
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.abstraction import is_data
from transpiler.specialize.domain.bindings import Binding, Closure, Conflict, Known
from transpiler.specialize.domain.optionals import NONE, is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import evaluates
from transpiler.specialize.evaluation.frames import Frame, Late
from transpiler.specialize.iterables.eager import check_as_it_was, is_early
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Generator
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.sequences import List, Tuple

# the place among the arguments of a container's method of what it is to hold, or looks for
HELD_AT = MappingProxyType({'append': 0, 'appendleft': 0, 'insert': 1, 'get': 1, 'setdefault': 1, 'pop': 1, 'count': 0})
ASK_OF_NONE = bool, isinstance     # functions that take None as they take a value
SHOW_NONE = print, str, repr, ascii, format     # so that it shows at run time what they show


def asks_for_values(value: Any) -> bool:
    """Whether a function that is not the program's takes no argument that may be None."""
    is_layout = isinstance(getattr(value, '__self__', None), str) and value.__name__ == 'format'
    return not is_layout and not any(value is function for function in SHOW_NONE)


class Parameters(Component):
    """The names that a call gives values to."""

    def certain_arguments(
        self, args: list[Binding], keywords: dict[str, Binding], held: int | None = None
    ) -> tuple[list[Binding], dict[str, Binding]]:
        """The values of arguments that may be None, but for one that a container is to hold."""
        certain = [arg if place == held else self.ev.indexing.surely(arg) for place, arg in enumerate(args)]
        return certain, {key: self.ev.indexing.surely(value) for key, value in keywords.items()}

    def called_with_none(self, value: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """A call of a function that is not the program's, with arguments that may be None."""
        if any(value is function for function in ASK_OF_NONE) and any(map(is_optional, args)):
            return self.with_and_without(args, lambda given: self.ev.call(Known(value), given, keywords))
        return self.ev.call(Known(value), *self.certain_arguments(args, keywords))

    def with_and_without(self, args: list[Binding], call: Callable[[list[Binding]], Binding]) -> Binding:
        """A call whose first argument that may be None is a value on one path, None on the other."""
        place = next(k for k, arg in enumerate(args) if is_optional(arg))
        flag, value = args[place].items
        given = lambda one: call([*args[:place], one, *args[place + 1:]])
        return self.ev.choose(None, flag, lambda: given(value), lambda: given(NONE))

    def bind(self, callee: Closure, args: list[Binding], keywords: dict[str, Binding]) -> dict[str, Binding]:
        """Match arguments to parameters as Python does."""
        function = callee.function
        arguments = function.node.args
        names, only = [a.id for a in arguments.posonlyargs + arguments.args], [a.id for a in arguments.kwonlyargs]
        if len(args) > len(names) and arguments.vararg is None:
            raise TranspileError(
                f'`{function.name}` takes {len(names)} positional arguments but {len(args)} are given', self.origin
            )
        env = dict(zip(names, args, strict=False))
        if arguments.vararg is not None:
            env[arguments.vararg.id] = Tuple(tuple(args[len(names) :]))
        by_name = {a.id for a in arguments.args} | set(only)
        options = {}
        for key, value in keywords.items():
            if key in by_name and key not in env:
                env[key] = value
            elif key not in by_name and arguments.kwarg is not None:
                options[key] = value
            else:
                raise TranspileError(f'`{function.name}` got an unexpected keyword `{key}`', self.origin)
        if arguments.kwarg is not None:
            env[arguments.kwarg.id] = Dict(tuple(options.values()), tuple(options))
        for name in names + only:
            if name not in env:
                env[name] = self._default(callee, name)
        return {name: self.ev.held(self.named(callee.function, name, value)) for name, value in env.items()}

    def named(self, function: Function | None, name: str, value: Binding) -> Binding:
        """What a name is given; Python's iterators are used up by their first reader, and know whether there is a second one."""
        parts = value.items if isinstance(value, (Tuple, List, Dict)) else (value,)
        iterators = [part for part in parts if isinstance(part, Container) and part.is_iterator]
        if not iterators:
            return value
        if parts != (value,):
            raise UnsupportedSyntax(
                f'a `{iterators[0].python_name}` iterator is put into a container',
                self.origin,
                why='it is used up by its first reader, and a container does not show which one that is',
                instead='loop over it where it is made, or make a list of it: `list(...)`',
            )
        once = name == RESULT or function is not None and read_once(function.node.body, name)  # the caller reads the result
        if once or is_early(value, apart=False):
            return value
        return Generator((value,), Late(making=(self.builder.block, *[len(self.builder.block)] * 2)))

    @evaluates(gast.Name)
    def name(self, frame: Frame, node: gast.Name) -> Binding:
        value = self.ev.expressions.name(frame, node)
        if not isinstance(value, Container) or not value.is_iterator or not is_early(value, apart=False):
            return value
        check_as_it_was(self.ev, value, node.id)
        holder: Frame | None = frame
        while holder is not None and node.id not in holder.env:
            holder = holder.parent
        if holder is not None and node.id != RESULT:
            holder.env[node.id] = Conflict(partial(_read_before, node.id))
        return value

    def _default(self, callee: Closure, name: str) -> Binding:
        function = callee.function
        for key, binding in callee.defaults:
            if key == name:
                return self.ev.current(binding)
        if name in function.defaults:
            defaults = function.defaults
            value = defaults[name]
            return (
                self.ev.captures.free_value(function, f'{function.name}.{name}', value, read=lambda: defaults[name])
                if is_data(value) and not _is_plain(value)
                else Known(value)
            )
        arguments = function.node.args
        positional = arguments.posonlyargs + arguments.args
        pairs = [
            *zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        for parameter, default in pairs:
            if parameter.id == name and default is not None:
                return self.ev.evaluate(Frame(function, {}, callee.frame), default)
        raise TranspileError(f'`{function.name}` is missing the argument `{name}`', self.origin)


def _read_before(name: str, origin: Origin | None) -> UnsupportedSyntax:
    return UnsupportedSyntax(
        f'`{name}` is an iterator, and something may have read it before', origin,
        why='what has been read is not there any more: a second reader gets what the first one has left',
        instead='make a list of it: `list(...)`')


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, str, type(None))) or (
        isinstance(value, tuple) and all(map(_is_plain, value))
    )
