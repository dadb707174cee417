"""The public functions: `grad`, `value_and_grad` and `jit`, as functions and as decorators."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from transpiler.api.transformed import Transformed
from transpiler.specialize.bindings import Derived
from transpiler.transforms.registry import Grad


def _transformation(make: Callable[..., Transformed]) -> Callable:
    """Let `make(f, **options)` be used as `@make`, `@make(**options)` and inside functions that are themselves transformed."""

    @functools.wraps(make)
    def public(f: Callable | None = None, *args, **options):
        if f is None:
            return functools.partial(public, **options)
        if not callable(f):
            raise TypeError(f'{make.__name__} takes a function, not {type(f).__name__}')
        return make(f, *args, **options)

    return public


def _as_transformed(f: Callable) -> Transformed:
    return f if isinstance(f, Transformed) else Transformed(f)


@_transformation
def grad(f: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The gradient of a function whose result is a real number.

    argnums: the positional parameter to differentiate by, or a tuple of them (negative ones count from the end)
    has_aux: the function returns `(value, aux)`; the result is `(gradient, aux)`

    The gradient has the structure, shapes and dtypes of the argument. Raises NotDifferentiable (a TypeError) if the
    output is no real scalar or the argument is made of integers, and TranspileError with the place in the code for what
    is not supported.

    >>> import numpy as np
    >>> def energy(x): return np.sum(x ** 3)
    >>> grad(energy)(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    return _as_transformed(f).derived(Grad(argnums, has_aux))


@_transformation
def value_and_grad(f: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The value and the gradient in one go: `(value, gradient)`, or `((value, aux), gradient)` with has_aux.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return _as_transformed(f).derived(Grad(argnums, has_aux, value=True))


@_transformation
def jit(f: Callable, static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = ()) -> Transformed:
    """Compile a function, or a derivative, with Numba. It keeps NumPy 2's dtypes, and the writes into its arguments.

    static_argnums, static_argnames: arguments that are constants of the compiled code; rarely needed, since an argument
    that must be one (an axis, a shape's rank) becomes one by itself.

    >>> jit(lambda x: 2.0 * x)(4.0)
    8.0
    """
    numbers = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    return _as_transformed(f).derived(compiled=True, static_argnums=numbers, static_argnames=names)


def _derive(title: str) -> Callable:
    """What the specialiser does where a program itself calls `grad`, `value_and_grad` or `jit`."""

    def derive(run, args, keywords):
        options = {name: run.known(value, f'`{name}` of `{title}`') for name, value in keywords.items()}
        options |= {
            name: run.known(value, f'`{name}` of `{title}`')
            for name, value in zip(('argnums', 'has_aux'), args[1:], strict=False)
        }
        return args[0] if title == 'jit' else Derived(Grad(**options, value=title == 'value_and_grad'), args[0])

    return derive


_public: Any
for _public in (grad, value_and_grad, jit):
    _public.__transpiler_derive__ = _derive(_public.__name__)

__all__ = ['Transformed', 'grad', 'jit', 'value_and_grad']
