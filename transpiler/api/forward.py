"""Forward mode in public: `jvp`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar, overload

from transpiler.api.calls.memory import remembered
from transpiler.api.calls.nested import means
from transpiler.api.calls.seeds import as_tangent, holds_floats
from transpiler.api.calls.transformed import R, Transformed
from transpiler.api.functions import as_transformed
from transpiler.arguments.asked import asked
from transpiler.arguments.calls import bind_arguments, check_pairs
from transpiler.arguments.integers import integers
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Derived, Known, flatten, fold, is_float
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.transforms.added_parameters import added_to, whole_signature
from transpiler.transforms.jacobians import zero_of
from transpiler.transforms.steps import Jvp

Aux = TypeVar('Aux')
NONE = Known(None)


@overload
def jvp(
    f: Callable[..., R], primals: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[False] = ...
) -> tuple[R, Any]: ...


@overload
def jvp(
    f: Callable[..., tuple[R, Aux]], primals: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[True]
) -> tuple[R, Any, Aux]: ...


@overload
def jvp(
    f: Callable[..., Any], *, has_aux: bool = ..., argnums: int | tuple[int, ...] = ...
) -> Transformed[..., tuple[Any, ...]]: ...


@overload
def jvp(
    *, has_aux: bool = ..., argnums: int | tuple[int, ...] = ...
) -> Callable[[Callable[..., Any]], Transformed[..., tuple[Any, ...]]]: ...


@asked
def jvp(
    f: Callable[..., Any] | None = None,
    primals: Sequence[Any] | None = None,
    tangents: Sequence[Any] | None = None,
    has_aux: bool = False,
    *,
    argnums: int | tuple[int, ...] = 0,
) -> Any:
    """The value of `f(*primals)` and its directional derivative: `(out, out_dot)`, or `(out, out_dot, aux)` with has_aux.

    primals, tangents: tuples of equal length; a tangent has the structure and shapes of its primal, and is converted to its
        dtype. None, for an argument or a part of one, stands for zeros; the tangent of integers is None.
    has_aux: the function returns `(value, aux)`

    `out_dot` has the structure of `out`, with None for integers, and memory of its own. Without primals it is a transformation
    like `grad`: `jvp(f, argnums=(0, 1))` takes the arguments of `f` and then tangents `x_dot` of those at `argnums`.

    Raises TypeError or ValueError if a tangent does not fit its primal, and TranspileError with the place in the code for
    what is not supported.

    >>> import numpy as np
    >>> jvp(lambda x, n: np.sum(x ** n), (np.array([1.0, 2.0]), 3), (np.array([1.0, 0.0]), None))
    (np.float64(9.0), np.float64(3.0))
    """
    if f is None:
        return functools.partial(jvp, has_aux=has_aux, argnums=argnums)
    if primals is None and tangents is None:
        return as_transformed(f).derived(Jvp(integers(argnums, 'argnums'), has_aux))
    if primals is None or tangents is None:
        raise TypeError('jvp takes primals and tangents together, or neither')
    check_pairs('jvp', primals, tangents)
    wanted = tuple(k for k, tangent in enumerate(tangents) if tangent is not None and _has_floats(primals[k], tangent, k))
    signature = remembered(f, 'signature', lambda: as_transformed(f).__signature__)
    bind_arguments(signature, getattr(f, '__name__', 'function'), primals, {})
    count = _named(signature)
    by_parameter = _by_parameter({k: tangents[k] for k in wanted}, count, lambda: tuple(tangents[count:]))
    step = Jvp(tuple(by_parameter), has_aux)
    made = remembered(f, step, lambda: as_transformed(f).derived(step))
    return made(*primals, **dict(zip(made.added, by_parameter.values(), strict=True)))


def _by_parameter(given: dict[int, Any], count: int | None, rest: Callable[[], Any]) -> dict[int, Any]:
    """The tangents by the positions of parameters: a star parameter after `count` others takes all of the `rest`."""
    if count is None or all(k < count for k in given):
        return given
    return {k: tangent for k, tangent in given.items() if k < count} | {count: rest()}


def _named(signature: inspect.Signature) -> int | None:
    """How many positional parameters stand before a star parameter; None if there is none."""
    kinds = [p.kind for p in signature.parameters.values()]
    return kinds.index(inspect.Parameter.VAR_POSITIONAL) if inspect.Parameter.VAR_POSITIONAL in kinds else None


def _has_floats(primal: Any, tangent: Any, position: int) -> bool:
    """Whether an argument has a tangent; that of integers must say nothing."""
    if holds_floats(primal):
        return True
    as_tangent(primal, tangent, f'argument {position}')
    return False


def has_float_leaves(ev: Evaluator, binding: Binding) -> bool:
    """Whether there is something to differentiate by in what a program hands over."""
    return any(map(is_float, flatten(ev.apart_from_cells(binding))))


def pairs_of(ev: Evaluator, taker: str, primals: Binding, tangents: Binding) -> list[tuple[Binding, Binding]]:
    """The primals in a program's call, each with its tangent."""
    parts = []
    for name, binding in (('primals', ev.apart_from_cells(primals)), ('tangents', ev.apart_from_cells(tangents))):
        if not isinstance(binding, (Tuple, List)):
            what = f'{name} is a tuple (or list) with an item for each argument, not {ev.describe(binding)}'
            raise UnsupportedFunction(what, ev.origin)
        parts.append(binding.items)
    try:
        check_pairs(taker, *parts)
    except TypeError as error:
        raise UnsupportedFunction(str(error), ev.origin) from None
    return list(zip(*parts, strict=True))


def derive_jvp(
    ev: Evaluator, f: Binding, primals: Binding = NONE, tangents: Binding = NONE, has_aux: bool = False, argnums: Any = 0
) -> Binding:
    """What the specialiser does where a program itself calls `jvp`."""
    if primals == NONE and tangents == NONE:
        return Derived(Jvp(integers(argnums, 'argnums'), has_aux), f)
    pairs = pairs_of(ev, 'jvp', primals, tangents)
    wanted = {k: _whole(ev, *pair) for k, pair in enumerate(pairs) if pair[1] != Known(None)}
    count = _named(whole_signature(f))
    by_parameter = _by_parameter(wanted, count, lambda: Tuple(tuple(_whole(ev, *pair) for pair in pairs[count:])))
    derived = Derived(Jvp(tuple(by_parameter), has_aux), f)
    more = dict(zip(added_to(derived), by_parameter.values(), strict=True))
    return ev.call(derived, [primal for primal, _ in pairs], more)


def _whole(ev: Evaluator, primal: Binding, tangent: Binding) -> Binding:
    """A tangent with zeros for the parts that are None."""
    primal, tangent = ev.apart_from_cells(primal), ev.apart_from_cells(tangent)
    if tangent == Known(None):
        return fold(primal, lambda leaf: zero_of(ev, leaf))
    if isinstance(primal, Container) and isinstance(tangent, Container) and len(primal.items) == len(tangent.items):
        pairs = zip(primal.items, tangent.items, strict=True)
        return replace(tangent, items=tuple(_whole(ev, *pair) for pair in pairs))
    return tangent


means(jvp, derive_jvp, True)
