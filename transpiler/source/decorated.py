"""Functions that decorators have made of others: what is behind them, and which parameters they have."""
from __future__ import annotations

import inspect
import types
from typing import Any

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
    shown = inspect.signature(function)
    if not isinstance(function, types.FunctionType):
        return shown
    own = inspect.signature(function, follow_wrapped=False)
    return shown if has_stars(own) and not has_stars(shown) else own


def has_stars(signature: inspect.Signature) -> bool:
    return any(p.kind in STARS for p in signature.parameters.values())


def passes_on(function: types.FunctionType) -> bool:
    """Whether a function takes whatever it is given, and shows the parameters of another."""
    return has_stars(inspect.signature(function, follow_wrapped=False)) and not has_stars(signature_of(function))


def spelled_out(name: str, signature: inspect.Signature) -> str:
    """A function that calls `wrapper` with its parameters one by one.

    >>> print(spelled_out('f', inspect.signature(lambda x, /, y=1, *, z=2: 0)))
    def f(x, /, y=None, *, z=None): return wrapper(x, y, z=z)
    """
    kinds = inspect.Parameter
    plain = [p.replace(annotation=p.empty, default=p.default if p.default is p.empty else None)
             for p in signature.parameters.values()]
    given = ', '.join(f'{p.name}={p.name}' if p.kind is kinds.KEYWORD_ONLY else p.name for p in plain)
    return f'def {name}{signature.replace(parameters=plain, return_annotation=kinds.empty)}: return {WRAPPER}({given})'
