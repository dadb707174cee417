"""Transformed functions in pickles: the primal, which a pickle names by where it is defined, and what was applied to it."""

from __future__ import annotations

import functools
import importlib
import types
from typing import Any

from transpiler.source.reading.pickled_source import arrive


class Named:
    """A function as pickles name it, whose name stands for what a decorator of ours has made of it: `@tp.jit`."""

    def __init__(self, function: Any):
        self.place = function.__module__, function.__qualname__

    def __reduce__(self) -> tuple:
        return behind, self.place


def restored(kind: type, text: Any, *arguments: Any) -> Any:
    """A transformed function as it comes out of a pickle, with the text of its primal where no file will hold it."""
    if text is not None:
        arrive(text)
    return kind(*arguments)


def behind(module: str, path: str) -> Any:
    """The function behind what stands at a place."""
    return getattr(at(module, path), 'given', None)


def at(module: Any, path: Any) -> Any:
    """What stands at a place of the running program, or None."""
    try:
        return functools.reduce(getattr, path.split('.'), importlib.import_module(module))
    except (AttributeError, ImportError, TypeError, ValueError):
        return None


def stands_for_itself(thing: Any) -> bool:
    """Whether a pickle may name a thing by the place where its function was defined."""
    return at(getattr(thing, '__module__', None), getattr(thing, '__qualname__', None)) is thing


def named(function: Any) -> Any:
    """What to put into a pickle in place of a function."""
    if isinstance(function, types.FunctionType):
        found = at(function.__module__, function.__qualname__)
        if found is not function and getattr(found, 'given', None) is function:
            return Named(function)
    return function
