"""Functions that decorators have made of others: what is behind them, and which parameters they have."""
from __future__ import annotations

import inspect
import types
from typing import Any

from transpiler.arguments.calls import as_function

STARS = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
WRAPPER = 'wrapper'


def is_declared(function: Any) -> bool:
    """Whether this is a function with a rule of its own: `custom_vjp`, `custom_jvp`, `primitive`."""
    return hasattr(type(function), '__transpiler_rule__')


def undecorated(function: Any) -> Any:
    """The function behind transformations and compilers; what a decorator of the program makes of one is another function.

    >>> import functools
    >>> @functools.wraps(abs)
    ... def twice(x): return 2 * abs(x)
    >>> undecorated(twice) is twice
    True
    """
    return inspect.unwrap(function, stop=lambda f: isinstance(f, types.FunctionType) or is_declared(f))


def signature_of(function: Any) -> inspect.Signature:
    """The parameters of a function as it stands, or those it shows, where it passes on whatever it is given.

    >>> import functools
    >>> def scale(x, by=2): return x * by
    >>> @functools.wraps(scale)
    ... def logged(*args, **options): return scale(*args, **options)
    >>> @functools.wraps(scale)
    ... def fixed(x): return scale(x, 3)
    >>> signature_of(logged), signature_of(fixed)
    (<Signature (x, by=2)>, <Signature (x)>)
    """
    shown = inspect.signature(as_function(function, 'this'))
    if not isinstance(function, types.FunctionType):
        return shown
    own = own_signature(function)
    return shown if has_stars(own) and not has_stars(shown) else own


def own_signature(function: types.FunctionType) -> inspect.Signature:
    """The parameters that the source has; `functools.wraps` may have copied a `__signature__` from elsewhere."""
    held = function.__defaults__, function.__closure__
    bare = types.FunctionType(function.__code__, function.__globals__, function.__name__, *held)
    bare.__kwdefaults__ = function.__kwdefaults__
    return inspect.signature(bare)


def has_stars(signature: inspect.Signature) -> bool:
    return any(p.kind in STARS for p in signature.parameters.values())


def passes_on(function: types.FunctionType) -> bool:
    """Whether a function takes whatever it is given, and shows the parameters of another."""
    return has_stars(own_signature(function)) and not has_stars(signature_of(function))


def spelled_out(name: str, signature: inspect.Signature, callee: str = WRAPPER, by_name: bool = False) -> str:
    """A function that calls another with its parameters one by one; `by_name`, those that may be left out as keywords.

    Their defaults stand for those of `signature`, which may be no literals.

    >>> print(spelled_out('f', inspect.signature(lambda x, /, y=1, *, z=2: 0)))
    def f(x, /, y=None, *, z=None): return wrapper(x, y, z=z)
    >>> print(spelled_out('f', inspect.signature(lambda x, y=1, **more: 0), 'f_', by_name=True))
    def f(x, y=None, **more): return f_(x, y=y, **more)
    """
    kinds = inspect.Parameter
    plain = [p.replace(annotation=p.empty, default=p.default if p.default is p.empty else None)
             for p in signature.parameters.values()]
    given = []
    for p in plain:
        named = p.kind is kinds.KEYWORD_ONLY or by_name and p.kind is kinds.POSITIONAL_OR_KEYWORD and p.default is not p.empty
        prefix = {kinds.VAR_POSITIONAL: '*', kinds.VAR_KEYWORD: '**'}.get(p.kind, f'{p.name}=' if named else '')
        given.append(prefix + p.name)
    return f'def {name}{signature.replace(parameters=plain, return_annotation=kinds.empty)}: return {callee}({", ".join(given)})'
