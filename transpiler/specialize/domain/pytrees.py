"""Objects as containers: the attributes that an instance is taken apart into, and instances made of attributes again."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import optree

from transpiler.errors import Origin, UnsupportedFunction
from transpiler.source.reading.capture import MISSING

CALLABLES = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
OPAQUE = (type, types.ModuleType, *CALLABLES, np.generic, np.dtype, np.ndarray, enum.Enum)
LIBRARIES = ('numpy', 'scipy', 'math', 'numba', 'builtins', 'functools', 'itertools', 'transpiler', 'collections', 'optree')


def is_named_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, '_fields')


def attributes(value: Any) -> dict[str, tuple[Any, bool]] | None:
    """What an object is taken apart into: its attributes, and whether each is fixed when the code is generated.

    Named tuples, dataclasses, and instances of the program's classes; None for anything else. Fixed are the attributes
    that a registered pytree does not list among its children, and the static fields of dataclasses.

    >>> @dataclasses.dataclass
    ... class Spring:
    ...     k: float
    ...     name: str = dataclasses.field(default='s', metadata={'static': True})
    >>> Spring.__module__ = 'springs'
    >>> attributes(Spring(2.0))
    {'k': (2.0, False), 'name': ('s', True)}
    """
    if is_named_tuple(value):
        return {name: (part, False) for name, part in zip(value._fields, value, strict=True)}
    if not is_instance(value):
        return None
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {f.name: (getattr(value, f.name), _is_static(f)) for f in fields if hasattr(value, f.name)}
    children = None
    if optree.register_pytree_node.get(type(value)) is not None:
        children = {id(child) for child in optree.tree_flatten_one_level(value)[0]}
    return {name: (part, children is not None and id(part) not in children) for name, part in vars(value).items()}


def is_instance(value: Any) -> bool:
    """Whether a value is an instance of a class of the program, with attributes of its own."""
    kind = type(value)
    return (
        not isinstance(value, OPAQUE)
        and (hasattr(value, '__dict__') or dataclasses.is_dataclass(kind))
        and kind.__module__.split('.')[0] not in LIBRARIES
        and not isinstance(value, (tuple, list, dict, str, int, float, complex, BaseException))
        and not hasattr(kind, '__transpiler_derive__')
    )


def is_instance_class(kind: type) -> bool:
    """Whether a class is one of the program, whose instances are attributes and methods."""
    return kind.__module__.split('.')[0] not in LIBRARIES and not issubclass(kind, (tuple, BaseException))


def _is_static(field: dataclasses.Field) -> bool:
    return bool(field.metadata.get('static')) or field.metadata.get('pytree_node') is False


def made(kind: type, parts: Mapping[str, Any]) -> Any:
    """An instance of `kind` with these attributes; its constructor is not called.

    >>> class Point: pass
    >>> made(Point, {'a': 1}).a
    1
    """
    if issubclass(kind, tuple):
        return kind(**parts)
    instance = object.__new__(kind)
    for name, part in parts.items():
        object.__setattr__(instance, name, part)
    return instance


def can_change(kind: type) -> bool:
    """Whether instances of a class can be given other attributes."""
    frozen = dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen
    return not issubclass(kind, tuple) and not frozen


def check_class(kind: type, attribute: Callable[[type, str], Any], origin: Origin | None) -> None:
    """Refuse a class whose instances are more than attributes and methods; `attribute` tells what a class has."""
    odd = [name for name in ('__new__', '__getattribute__') if attribute(kind, name) is not vars(object).get(name, MISSING)]
    if odd or type(kind) is not type or kind.__module__.split('.')[0] in LIBRARIES:
        raise UnsupportedFunction(
            f'an object of the class `{kind.__name__}` is made here',
            origin,
            why=f'it defines `{odd[0]}`' if odd else 'it is no plain class of the program',
            instead='make it in the caller',
        )

