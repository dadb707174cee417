"""`jacfwd`, `jacrev`, `jacobian`, `hessian` and `hvp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transpiler.api.calls.memory import remembered
from transpiler.api.calls.nested import means
from transpiler.api.calls.seeds import holds_floats
from transpiler.api.calls.transformed import P, Transformed
from transpiler.api.decorators import to_derivative
from transpiler.api.forward import derive_jvp, has_float_leaves, jvp, pairs_of
from transpiler.api.functions import as_transformed, grad
from transpiler.arguments.asked import asked
from transpiler.arguments.calls import check_pairs
from transpiler.backends.options import Options, joined
from transpiler.core.language import leaves
from transpiler.specialize.domain.abstraction import leaves_of
from transpiler.specialize.domain.bindings import Binding, Derived, Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.jacobians import prefers_columns
from transpiler.transforms.steps import Grad, Jacobian, positions
from transpiler.values.dims import Dim, Symbol


@to_derivative
def jacrev(
    f: Callable[P, Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, Any]:
    """The Jacobian in reverse mode: one batched pullback over all elements of the output; for few outputs and many inputs.

    The result has the structure of the output, and at each leaf of it that of the argument (a tuple of them, if `argnums` is a
    tuple), with arrays of the shape `output.shape + argument.shape`; None for integers in the output. With has_aux the function
    returns `(output, aux)` and the result is `(jacobian, aux)`.

    A complex output of real arguments has a complex Jacobian; that of complex arguments is asked for with `holomorphic=True`,
    which says that the function has a derivative as one of complex numbers (`docs/complex.md`).

    >>> import numpy as np
    >>> jacrev(lambda x: x[1:] * x[0])(np.array([2.0, 3.0, 4.0]))
    array([[3., 2., 0.],
           [4., 0., 2.]])
    """
    return as_transformed(f).derived(Jacobian(argnums, has_aux, 'rev', holomorphic=holomorphic))


@to_derivative
def jacfwd(
    f: Callable[P, Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, Any]:
    """The Jacobian in forward mode: one batched pass over all elements of the input; for few inputs and many outputs.

    The result is structured like that of `jacrev`; complex arguments are taken with `holomorphic=True` only.

    >>> import numpy as np
    >>> jacfwd(lambda t: np.array([t * t, np.exp(t)]))(0.0)
    array([0., 1.])
    """
    return as_transformed(f).derived(Jacobian(argnums, has_aux, 'fwd', holomorphic=holomorphic))


@to_derivative
def jacobian(
    f: Callable[P, Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, Any]:
    """The Jacobian in the mode that needs fewer passes for the sizes at hand; the name of the generated function says which.

    The result is structured like that of `jacrev`. Inside functions, where sizes are not known yet, it is forward mode if
    there are certainly no more inputs than outputs, and reverse mode otherwise.

    >>> import numpy as np
    >>> square = jacobian(lambda x: x * x)
    >>> square(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    before = as_transformed(f)
    return Cheaper(before.given, (*before.transforms, Jacobian(argnums, has_aux, holomorphic=holomorphic)), before.compiled)


class Cheaper(Transformed):
    """A Jacobian that looks at the sizes of each call, and takes the mode that is cheaper for them."""

    def _find(self, args, kwargs):
        return self._in_mode('fwd' if _prefers_columns(self, args, kwargs) else 'rev')._find(args, kwargs)

    def _in_mode(self, mode: str) -> Transformed:
        steps = (*self.transforms[:-1], replace(_last(self), mode=mode))
        statics = self.static_argnums, self.static_argnames
        make: Callable[[], Transformed[..., Any]] = lambda: Transformed(self.given, steps, self.compiled, *statics)
        return remembered(self, mode, make)

    def derived(self, *transforms, compiled: Options | None = None, **statics) -> Transformed:
        if transforms:
            return super().derived(*transforms, compiled=compiled, **statics)
        return Cheaper(self.given, self.transforms, joined(compiled, self.compiled), **statics)

    @property
    def source(self) -> str:
        latest = [made for mode in ('fwd', 'rev') if (made := self._in_mode(mode))._latest is not None]
        return latest[0].source if latest else super().source


def _last(jacobian: Transformed) -> Jacobian:
    last = jacobian.transforms[-1]
    assert isinstance(last, Jacobian)
    return last


def _prefers_columns(jacobian: Transformed, args, kwargs) -> bool:
    """Whether the argument has at most as many elements as the output, by the types of the primal and the sizes at hand."""
    primal = remembered(jacobian, 'primal', lambda: Transformed(jacobian.given, jacobian.transforms[:-1]))
    found, values = primal._find(args, kwargs)
    core = found.generated.marked or found.generated.core   # rules that users give say which modes there are
    sizes: dict[Symbol, Dim] = {}
    for param in core.params:
        if param.kind != 'capture':
            for name, leaf in zip(leaves(param.tree), leaves_of(values[param.name]), strict=False):
                dims = getattr(core.types[name], 'dims', None) or ()
                pairs = zip(dims, np.shape(leaf), strict=True)
                sizes |= {dim.symbol_alone: Dim.of(size) for dim, size in pairs if dim and dim.symbol_alone}
    step = _last(jacobian)
    return prefers_columns(
        core, positions(core, step.argnums), step.has_aux, step.holomorphic, lambda dim: dim.substitute(sizes))


@to_derivative
def hessian(
    f: Callable[P, Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[P, Any]:
    """All second derivatives: forward mode over reverse mode, in one batched pass.

    The result is `jacfwd(jacrev(f))`: for a function with one number as its output and an array as its argument, an array of the
    shape `argument.shape + argument.shape`. With has_aux the function returns `(output, aux)`, the result is `(hessian, aux)`.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] * x[1] ** 2)(np.array([1.0, 3.0]))
    array([[0., 6.],
           [6., 2.]])
    """
    steps = (Jacobian(argnums, has_aux, mode, holomorphic=holomorphic) for mode in ('rev', 'fwd'))
    return as_transformed(f).derived(*steps)


@asked
def hvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The Hessian of a function with a real number as its output, times a vector: forward mode over the gradient.

    primals, tangents: the arguments, and the vector in their structure; the result has it too, with None for primals without
        floats, and is no tuple if there is one primal alone
    The Hessian itself is never made: the cost is that of a few gradients.

    >>> import numpy as np
    >>> hvp(lambda x: np.sum(x ** 3), (np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),))
    array([6., 0.])
    """
    check_pairs('hvp', primals, tangents)
    if len(primals) == 1:
        return jvp(remembered(f, ('grad', 0), lambda: grad(f)), primals, tangents)[1]
    argnums = tuple(k for k, primal in enumerate(primals) if holds_floats(primal))
    found = jvp(remembered(f, ('grad', argnums), lambda: grad(f, argnums)), primals, tangents)[1]
    products = dict(zip(argnums, found, strict=True))
    return tuple(products.get(k) for k in range(len(primals)))


def _derives(*modes: str | None) -> Callable:
    """What the specialiser does where a program itself calls a function that applies a Jacobian in each of these modes."""

    def derive(ev: Evaluator, f: Binding, **options) -> Binding:
        for mode in modes:
            f = Derived(Jacobian(**options, mode=mode), f)
        return f

    return derive


def _derive_hvp(ev: Evaluator, f: Binding, primals: Binding, tangents: Binding) -> Binding:
    """What the specialiser does where a program itself calls `hvp`."""
    pairs = pairs_of(ev, 'hvp', primals, tangents)
    places = [k for k, (primal, _) in enumerate(pairs) if has_float_leaves(ev, primal)]
    single = len(pairs) == 1
    found = ev.statements.unpack(derive_jvp(ev, Derived(Grad(0 if single else tuple(places)), f), primals, tangents), 2)[1]
    if single:
        return found
    products = dict(zip(places, ev.statements.unpack(found, len(places)), strict=True))
    return Tuple(tuple(products.get(k, Known(None)) for k in range(len(pairs))))


means(jacrev, _derives('rev'), True)
means(jacfwd, _derives('fwd'), True)
means(jacobian, _derives(None), True)
means(hessian, _derives('rev', 'fwd'), True)
means(hvp, _derive_hvp)
