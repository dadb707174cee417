"""`vjp`, `linearize` and `linear_transpose`: derivatives at one point as linear functions of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any, Literal, overload

import numpy as np
import optree

from transpiler.api.calls.halves import Finish, Halved, Linear, as_they_are
from transpiler.api.calls.memory import remembered
from transpiler.api.calls.nested import Meant, means, only_outside
from transpiler.api.calls.seeds import as_tangent, holds_floats
from transpiler.api.calls.transformed import R
from transpiler.api.forward import Aux, derive_jvp, has_float_leaves
from transpiler.api.functions import as_transformed
from transpiler.arguments.asked import asked
from transpiler.errors import NotDifferentiable, UnsupportedFunction
from transpiler.pipelines import Generated, turned
from transpiler.specialize.domain.bindings import Binding, Derived, Known, Partial
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.objects.snapshots import Freezing
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.added_parameters import added_to
from transpiler.transforms.reverse.transpose import nonlinear
from transpiler.transforms.steps import Step, Vjp


class Pullback(Linear):
    """Takes a cotangent like the output, gives a tuple with one for each primal; None for primals without floats."""

    def __init__(self, halved: Halved, first, handed: Sequence[Any], out: Any, argnums: tuple[int, ...], count: int):
        structure = optree.tree_map(lambda leaf: leaf, out, none_is_leaf=True)      # the caller may change the containers
        super().__init__(halved, first, handed, _taking('cotangent'), structure)
        self._argnums, self._count = argnums, count

    def __call__(self, *late: Any) -> tuple[Any, ...]:
        if len(late) != 1:
            raise TypeError(f'{self.__name__} takes one cotangent, like the output, but {len(late)} are given')
        found = self.at(as_tangent(self._late[0], late[0], 'out', 'cotangent'))
        cotangents = dict(zip(self._argnums, found, strict=True))
        return tuple(cotangents.get(position) for position in range(self._count))

    def __transpiler_derive__(self, ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        cotangent, = self.__signature__.bind(*args, **keywords).args
        found = dict(zip(self._argnums, ev.statements.unpack(self.opened(ev, cotangent), len(self._argnums)), strict=True))
        return Tuple(tuple(found.get(position, Known(None)) for position in range(self._count)))


class Pushforward(Linear):
    """Takes one tangent for each primal (None for those without floats), gives that of the output."""

    def __init__(self, halved: Halved, first, handed: Sequence[Any], out: Any, argnums: tuple[int, ...], primals: tuple):
        names = list(halved.__signature__.bind(*primals).arguments)
        names = names if len(names) == len(primals) else [f'x{k}' for k in range(len(primals))]     # there is a `*rest`
        signature = _taking(*(f'{name}_dot' for name in names))
        # any would do, but for what asks whether one is zero: "nothing reads this" (`transforms/pullback/primitives.py`)
        super().__init__(halved, first, handed, signature, filled_like(out, 1), tuple(primals[k] for k in argnums))
        self._argnums, self._primals = argnums, primals

    def __call__(self, *tangents: Any) -> Any:
        if len(tangents) != len(self._primals):
            wanted = f'{len(self._primals)} tangents, one for each argument'
            raise TypeError(f'{self.__name__} takes {wanted}, but {len(tangents)} are given')
        given = [as_tangent(p, t, f'argument {k}') for k, (p, t) in enumerate(zip(self._primals, tangents, strict=True))]
        return self.at(tuple(given[k] for k in self._argnums))

    def __transpiler_derive__(self, ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        given = self.__signature__.bind(*args, **keywords).args
        return self.opened(ev, Tuple(tuple(given[k] for k in self._argnums)))


def _taking(*names: str) -> Signature:
    return Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in names])


def _for_tangents(halves: Generated, step: Step) -> Generated:
    """The halves for `linearize`: the second one, of a pullback, is transposed."""
    return turned(halves, f'{halves.primal.name}_linear', 'tangents', has_aux=step.has_aux)


@overload
def vjp(f: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...) -> tuple[R, Pullback]: ...


@overload
def vjp(f: Callable[..., tuple[R, Aux]], *primals: Any, has_aux: Literal[True]) -> tuple[R, Pullback, Aux]: ...


@asked
def vjp(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and its pullback: `(out, pullback)`, or `(out, pullback, aux)` with has_aux.

    `pullback(cotangent)` takes a pytree like `out` (None for integers in it) and gives a tuple with the cotangent of each
    primal, in its structure, shapes and dtypes; None for primals without floats. It may be called many times: what it needs
    of the values inside `f` was computed with the value, and is kept. Raises TypeError or ValueError if a cotangent does not fit.
    Its `.source` and `.primal_source` are the two halves of the generated code.

    >>> import numpy as np
    >>> y, pullback = vjp(lambda x: np.sin(x) * x, np.array([0.0, 1.0]))
    >>> pullback(np.array([1.0, 0.0]))
    (array([0., 0.]),)
    """
    halved, argnums = _halved(as_they_are, f, primals, has_aux)
    results, first, handed = halved.begin(primals)
    out, *aux = results if has_aux else (results,)
    return (out, Pullback(halved, first, handed, out, argnums, len(primals)), *aux)


@overload
def linearize(f: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...) -> tuple[R, Pushforward]: ...


@overload
def linearize(f: Callable[..., tuple[R, Aux]], *primals: Any, has_aux: Literal[True]) -> tuple[R, Pushforward, Aux]: ...


@asked
def linearize(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and its derivative there as a linear function of tangents: `(out, f_linear)`.

    `f_linear(*tangents)` takes one tangent for each primal (None for those without floats) and gives the tangent of the output,
    like `jvp`; what it needs of the values inside `f` is computed once. With has_aux the result is `(out, f_linear, aux)`.

    >>> y, f_linear = linearize(lambda x: x * x, 3.0)
    >>> y, f_linear(1.0), f_linear(0.5)
    (9.0, 6.0, 3.0)
    """
    halved, argnums = _halved(_for_tangents, f, primals, has_aux)
    results, first, handed = halved.begin(primals)
    out, *aux = results if has_aux else (results,)
    return (out, Pushforward(halved, first, handed, out, argnums, primals), *aux)


@asked
def linear_transpose(f: Callable[..., Any], *primals: Any) -> Pullback:
    """The transpose of a linear function: `f_t(cotangent)` gives a tuple of cotangents, one for each primal.

    primals: arrays and numbers of the types that `f` is called with; only their types and shapes count
    Raises NotDifferentiable if `f` is not linear in all the floats among its arguments together.

    >>> import numpy as np
    >>> linear_transpose(lambda x: 3.0 * x[1:], np.ones(3))(np.array([1.0, 2.0]))
    (array([0., 3., 6.]),)
    """
    halved, argnums = _halved(as_they_are, f, primals, False)
    out, first, handed = halved.begin(filled_like(primals, 0))
    found = nonlinear(first.generated.core, first.generated.rest.core)
    constant = any(np.any(leaf != 0) for leaf in optree.tree_leaves(out) if holds_floats(leaf))
    if found or constant:
        raise NotDifferentiable(
            f'`{first.generated.primal.name}` is not linear, so it has no transpose',
            first.generated.primal.origin,
            why='its derivative depends on where it is taken' if found else 'it is not zero at zero',
            instead='use `vjp`, the transpose of its derivative at a point',
        )
    return Pullback(halved, first, handed, out, argnums, len(primals))


def filled_like(tree: Any, number: int) -> Any:
    """The pytree with this number for the floats in it."""
    filled = lambda leaf: np.full_like(leaf, number) if isinstance(leaf, np.ndarray) else type(leaf)(number)
    return optree.tree_map(lambda leaf: filled(leaf) if holds_floats(leaf) else leaf, tree, none_is_leaf=True)


def _halved(finish: Finish, f: Callable[..., Any], primals: tuple, has_aux: bool) -> tuple[Any, tuple[int, ...]]:
    """The two halves of `f` for all primals with floats, made once for each function and choice of these."""
    argnums = tuple(k for k, primal in enumerate(primals) if holds_floats(primal))

    def make() -> Halved:
        base = as_transformed(f)
        statics = {'static_argnums': base.static_argnums, 'static_argnames': base.static_argnames}
        steps = (*base.transforms, Vjp(argnums, has_aux))
        return Halved(base.given, steps, ('forward', 'pullback'), base.compiled, finish, **statics)

    return remembered(f, (finish, argnums, has_aux), make), argnums


def _pulled(ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
    """What a pullback gives inside a function: None for the primals without floats."""
    program, name, places, primals, *late = args
    if len(late) != 1 or keywords:
        raise UnsupportedFunction(f'a pullback takes one cotangent, like the output, but {len(late)} are given', ev.origin)
    found = ev.call(program, _items(ev, primals), {ev.known(name, 'a name'): late[0]})
    cotangents = _items(ev, _items(ev, found)[1])
    wanted = [ev.known(place, 'a place') for place in _items(ev, places)]
    return Tuple(tuple(Known(None) if place is None else cotangents[place] for place in wanted))


def _pushed(ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
    """What the linear function of `linearize` gives inside a function."""
    function, has_aux, primals, *tangents = args
    count = len(_items(ev, primals))
    if len(tangents) != count or keywords:
        wanted = f'{count} tangents, one for each argument'
        raise UnsupportedFunction(f'what `linearize` gives takes {wanted}, but {len(tangents)} are given', ev.origin)
    found = derive_jvp(ev, function, primals, Tuple(tuple(tangents)), ev.known(has_aux, '`has_aux`'))
    return _items(ev, found)[1]


def _items(ev: Evaluator, binding: Binding) -> list[Binding]:
    whole = ev.apart_from_cells(binding)
    assert isinstance(whole, Container)
    return list(map(ev.current, whole.items))


PULLED, PUSHED = Known(Meant(_pulled)), Known(Meant(_pushed))


def _begin(ev: Evaluator, reverse: bool, f: Binding, primals: tuple[Binding, ...], has_aux: bool) -> Binding:
    """Inside a function: the value, and the program of the derivative with the primals as they are now."""
    argnums = tuple(k for k, primal in enumerate(primals) if has_float_leaves(ev, primal))
    as_it_is, *kept = map(Freezing(ev).now, (f, *primals))
    result = ev.call(f, list(map(Freezing(ev).now, primals)), {})  # which may write into them
    out, *aux = ev.statements.unpack(result, 2) if has_aux else (result,)
    if reverse:
        program = Derived(Vjp(argnums, has_aux), as_it_is)
        places = [Known(argnums.index(k) if k in argnums else None) for k in range(len(primals))]
        name = Known(added_to(program)[0])
        later = Partial(PULLED, (program, name, Tuple(tuple(places)), Tuple(tuple(kept))))
    else:
        later = Partial(PUSHED, (as_it_is, Known(has_aux), Tuple(tuple(kept))))
    return Tuple((out, later, *aux))


means(vjp, lambda ev, f, primals=(), has_aux=False: _begin(ev, True, f, primals, has_aux))
means(linearize, lambda ev, f, primals=(), has_aux=False: _begin(ev, False, f, primals, has_aux))
only_outside(
    linear_transpose, 'whether a function is linear shows at run time only',
    'use `vjp`: the pullback of a linear function is its transpose')
