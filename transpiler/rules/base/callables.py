"""Callables without source of their own, as functions with it, so that they can be transformed: `tp.vmap(np.dot)`."""

from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from transpiler.rules.base.lookup import rule_of
from transpiler.rules.base.methods import METHODS, VARARGS
from transpiler.rules.base.registry import RULES, Rule
from transpiler.source.reading.attached import made_of
from transpiler.source.reading.decorated import spelled_out
from transpiler.source.reading.texts import lines_of

LEFT_OUT = ('out', 'dtype', 'like', 'device', 'casting', 'order', 'subok', 'copy')  # of the parameters of primitives
_primitives: dict[str, Callable] = {}


def with_source(function: Any) -> Any:
    """`function` itself, or a Python function that calls it: for a primitive, a method of an array, a partial, an object.

    >>> import numpy as np
    >>> with_source(np.dot)(np.ones(2), np.ones(2)), with_source(np.dot) is with_source(np.dot)
    (np.float64(2.0), True)
    >>> with_source(functools.partial(pow, exp=2))(3)
    9
    """
    if isinstance(owner := getattr(function, '__self__', None), np.ndarray) and in_one_call(function.__name__):
        function = functools.partial(with_source(RULES[METHODS[function.__name__]].primitive), owner)
    if isinstance(function, functools.partial):
        made = made_of(function)
        if 'source' not in made:
            made['source'] = _of_partial(function)
        return made['source']
    if is_callable_object(function):
        return function.__call__
    if getattr(function, '__transpiler_opened__', False):  # a pullback or pushforward
        return _of_object(function.__name__, function, list(function.__signature__.parameters.values()))
    rule = rule_of(function)
    if rule is None:
        return function
    if rule.name not in _primitives:
        _primitives[rule.name] = _of_primitive(rule, function)
    return _primitives[rule.name]


def in_one_call(method: str) -> bool:
    """Whether a method of arrays is called as the function for which it stands, the array being the first argument."""
    return method in METHODS and method not in VARARGS


def _of_primitive(rule: Rule, function: Any) -> Callable:
    return _made(f'<{rule.name}>', rule.name.rpartition('.')[2], function,
                 [p for p in rule.signature.parameters.values() if p.name not in LEFT_OUT])


def _of_partial(function: functools.partial) -> Callable:
    """The arguments that it holds are no parameters of the new function."""
    name = getattr(function.func, '__name__', 'function')
    name = name if name.isidentifier() else 'function'  # `<lambda>`
    return _of_object(name, function, [p for p in signature(function).parameters.values() if p.name not in function.keywords])


def _of_object(name: str, function: Any, parameters: list[Parameter]) -> Callable:
    """Named by its parameters, which alone decide its text: the next process finds what was compiled for it."""
    plain = [p.replace(annotation=p.empty, default=p.default if p.default is p.empty else None) for p in parameters]
    return _made(f'<{name}{Signature(plain)}>', name, function, parameters)


def _made(file: str, name: str, function: Any, parameters: list[Parameter]) -> Callable:
    text = spelled_out(name, Signature(parameters), f'{name}_', by_name=True) + '\n'
    linecache.cache[file] = (len(text), None, lines_of(text), file)
    scope: dict[str, Any] = {f'{name}_': function}
    exec(compile(text, file, 'exec'), scope)
    given = [p for p in parameters if p.default is not Parameter.empty]
    made = scope[name]
    made.__defaults__ = tuple(p.default for p in given if p.kind is not Parameter.KEYWORD_ONLY)
    made.__kwdefaults__ = {p.name: p.default for p in given if p.kind is Parameter.KEYWORD_ONLY}
    return made


def is_callable_object(function: Any) -> bool:
    """Whether it is an instance of a class that has a `__call__` in Python."""
    kind = type(function)
    return (isinstance(inspect.getattr_static(kind, '__call__', None), types.FunctionType) and not isinstance(function, type)
            and not kind.__module__.startswith('transpiler.'))
