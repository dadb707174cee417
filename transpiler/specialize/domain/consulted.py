"""What a program goes by of the objects around it: questions with their answers, which are asked again at each call."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from transpiler.rules.base.callables import is_callable_object
from transpiler.source.reading.capture import MISSING
from transpiler.specialize.domain.identity import content

Question = tuple[Callable[[], Any], Any]  # what looks again, and what it found

FOLDED = (dict, list, tuple, set, frozenset, np.ndarray, types.MethodType)  # made anew, or changed in place: `content` tells
PARTS = tuple((name, operator.attrgetter(name)) for name in ('__code__', '__defaults__'))
_defaults_by_keyword = operator.attrgetter('__kwdefaults__')
_order = operator.attrgetter('__mro__')
HEAP_TYPE = 1 << 9  # Python's flag of classes made by `class`, which may change


class Consulted:
    """The questions of one program. Each is asked once at a call, however often the program has met the object.

    A method, say, is what it was if its class has the same function under the name, no class before it in the order has one,
    the instance has none of its own, and the function has the same code and defaults.
    """

    def __init__(self) -> None:
        self._asked: dict[Hashable, Question] = {}

    def __iter__(self):
        return iter(self._asked.values())

    def ask(self, about: Any, what: Hashable, again: Callable[[], Any], answer: Any) -> None:
        """Remember a question about an object, which lives as long as `again` does."""
        self._asked.setdefault((id(about), what), (again, answer))

    def content(self, about: Any, what: Hashable, again: Callable[[], Any], value: Any) -> None:
        """Remember which object is found; of containers and arrays, what they hold."""
        if isinstance(value, FOLDED):
            self.ask(about, what, lambda: content(again()), content(value))
        else:
            self.ask(about, what, again, value)

    def attribute_of_class(self, kind: type, name: str) -> Any:
        """What a class gives its instances under a name, without binding it; MISSING if nothing."""
        return self._among(kind, 0, name)

    def attribute_beyond(self, kind: type, after: type, name: str) -> Any:
        """The same, of the classes after one of them in their order: what `super` finds."""
        return self._among(kind, kind.__mro__.index(after) + 1, name)

    def _among(self, kind: type, first: int, name: str) -> Any:
        if kind.__flags__ & HEAP_TYPE:
            self.ask(kind, '__mro__', functools.partial(_order, kind), kind.__mro__)
        for one in kind.__mro__[first:]:
            held = vars(one).get(name, MISSING)
            if one.__flags__ & HEAP_TYPE:
                again = functools.partial(vars(one).get, name, MISSING)
                if hasattr(type(held), '__get__') or held is MISSING:
                    self.ask(one, ('of', name), again, held)
                else:   # it is read anew where it is used
                    self.ask(one, ('of', name), lambda again=again: type(again()), type(held))
            if held is not MISSING:
                return held
        return MISSING

    def class_of(self, value: Any) -> type:
        """The class of an instance, which may be given another one."""
        self.ask(value, '__class__', functools.partial(type, value), type(value))
        return type(value)

    def has_own(self, value: Any, name: str) -> bool:
        """Whether an instance holds an attribute itself."""
        own = name in vars_of(value)
        self.ask(value, ('own', name), lambda: name in vars_of(value), own)
        return own

    def function(self, function: Any) -> None:
        """Remember what a function says, and so do those that it shows as being behind it."""
        while function is not None:
            function = getattr(function, '__func__', function)
            if isinstance(function, types.FunctionType):
                for name, part in PARTS:
                    self.ask(function, name, functools.partial(part, function), getattr(function, name))
                if function.__code__.co_kwonlyargcount:
                    by_keyword = functools.partial(_defaults_by_keyword, function)
                    self.content(function, '__kwdefaults__', by_keyword, function.__kwdefaults__)
            function, wrapper = getattr(function, '__wrapped__', None), function
            if function is not None:
                self.ask(wrapper, '__wrapped__', functools.partial(operator.attrgetter('__wrapped__'), wrapper), function)


def questions(given: Any, function: Callable) -> list[Question]:
    """What to ask at each call to know that what was given, which `function` has the source of, means what it did."""
    watched = Consulted()
    watched.function(function)
    if function is not given and is_callable_object(given):
        watched.attribute_of_class(watched.class_of(given), '__call__')
    return list(watched)


def vars_of(value: Any) -> dict[str, Any]:
    return getattr(value, '__dict__', {})
