"""The public functions: `grad`, `value_and_grad` and `jit`, as functions and as decorators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpiler.api.calls.nested import means
from transpiler.api.calls.transformed import P, R, Transformed
from transpiler.api.decorators import to_batch, to_derivative, to_same_function, to_value_and_derivative
from transpiler.arguments.integers import numbered_parameters
from transpiler.arguments.names import named_parameters
from transpiler.backends.options import Options
from transpiler.specialize.domain.bindings import Derived
from transpiler.transforms.steps import Grad, Vmap


def as_transformed(f: Callable[P, R]) -> Transformed[P, R]:
    return f if isinstance(f, Transformed) else Transformed(f)


@to_derivative
def grad(
    f: Callable[P, Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, Any]:
    """The gradient of a function whose result is a real number.

    argnums: the positional argument to differentiate by, or a tuple of them (negative ones count from the end)
    has_aux: the function returns `(value, aux)`; the result is `(gradient, aux)`
    holomorphic: the function takes complex numbers, gives one, and has a derivative there, which this is (`docs/complex.md`)

    The gradient has the structure, shapes and dtypes of the argument. Raises NotDifferentiable (a TypeError) if the
    output is no real scalar (a complex one, if holomorphic) or the argument is made of integers, and TranspileError with the
    place in the code for what is not supported.

    >>> import numpy as np
    >>> def energy(x): return np.sum(x ** 3)
    >>> grad(energy)(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    return as_transformed(f).derived(Grad(argnums, has_aux, holomorphic=holomorphic))


@to_value_and_derivative
def value_and_grad(
    f: Callable[P, R], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, tuple[R, Any]]:
    """The value and the gradient in one go: `(value, gradient)`, or `((value, aux), gradient)` with has_aux; as `grad` takes it.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return as_transformed(f).derived(Grad(argnums, has_aux, True, holomorphic))


@to_same_function
def jit(
    f: Callable[P, R],
    static_argnums: int | Sequence[int] | None = (),
    static_argnames: str | Sequence[str] | None = (),
    accurate: bool = False,
    parallel: bool = True,
    cache: bool = True,
    fastmath: bool = False,
    background: bool = False,
) -> Transformed[P, R]:
    """Compile a function, or a derivative, with Numba. It keeps NumPy 2's dtypes, and the writes into its arguments.

    static_argnums, static_argnames: arguments that are constants of the compiled code; rarely needed, since an argument
    that must be one (an axis, a shape's rank) becomes one by itself.
    accurate: take exp, sin and their like from C's library; otherwise loops over them are vectorised, with results at most 1 ulp
        off in single precision and 2 ulp in double (`docs/vector_math.md`)
    parallel: share long loops among `NUMBA_NUM_THREADS` threads (`docs/threads.md`)
    cache: keep machine code on disk, where the next process finds it (`tp.cache` says where)
    fastmath: let the compiler do arithmetic in another order, and round a product and a sum once. Otherwise every operation
        rounds as in Python and NumPy, in the order in which it is written, but for sums whose order is open (`docs/language.md`)
    background: do not wait for the compiler: calls run as Python until it is done, in another thread (`docs/first_calls.md`)

    >>> jit(lambda x: 2.0 * x)(4.0)
    8.0
    """
    parameters = list(as_transformed(f).signatures[0].parameters)
    numbers = numbered_parameters(() if static_argnums is None else static_argnums, 'static_argnums', parameters)
    names = named_parameters(() if static_argnames is None else static_argnames, 'static_argnames', parameters)
    options = Options(accurate, parallel, cache, fastmath, background)
    return as_transformed(f).derived(compiled=options, static_argnums=numbers, static_argnames=names)


@to_batch
def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, axis_size: int | None = None) -> Transformed[..., Any]:
    """The function on all examples at once: arguments get an axis of examples, and so do results.

    in_axes: the axis of the examples in each positional argument: an int, None for what all examples share, or a tuple with one
        for each argument; for containers, containers of these. Negative axes count from the end. Arguments by keyword
        are mapped over axis 0.
    out_axes: where the results have their axis of examples, likewise; None for results that all examples share
    axis_size: how many examples there are; needed only if nothing is mapped

    What does the same for every example becomes operations on whole batches; where the way through the program depends on the
    example, it loops over examples. Raises ValueError where numbers of examples disagree, or results differ in shape.

    >>> import numpy as np
    >>> vmap(np.dot, in_axes=(None, 0))(np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    array([1., 2., 3.])
    """
    return as_transformed(f).derived(Vmap(in_axes, out_axes, axis_size))


means(grad, lambda ev, f, **options: Derived(Grad(**options), f), True)
means(value_and_grad, lambda ev, f, **options: Derived(Grad(**options, value=True), f), True)
means(vmap, lambda ev, f, **options: Derived(Vmap(**options), f), True)
means(jit, lambda ev, f, **options: f, True)

__all__ = ['Transformed', 'grad', 'jit', 'value_and_grad', 'vmap']
