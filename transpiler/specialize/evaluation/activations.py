"""What the specialiser knows of functions that it writes once and calls: their activations, and when arguments are alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Closure, Known, flatten, fold, same_shape
from transpiler.values.dims import Dim, Symbol
from transpiler.values.joining import join_types
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import Array, Scalar, Type


@dataclass(eq=False)
class Activation:
    """A function that is being run; `apart` if it is not inlined; `inside` counts the inlined calls of it below."""

    callee: Closure
    arguments: dict[str, Binding]
    apart: 'Apart | None' = None
    inside: int = 0


@dataclass(eq=False)
class Apart:
    """A function written once. The `leaves` of its arguments are types of parameters, or bindings that never change."""

    name: str
    callee: Closure
    arguments: dict[str, Binding]
    leaves: list[Type | Binding]
    result: Binding | None = None
    core: Core | None = None
    static: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Given:
    """In a result: the array that is the argument at `position` itself, of that type."""

    position: int
    type: Type


def with_given(result: Binding, params: Mapping[int, Var]) -> Binding:
    """A result in which arrays that the function was given are said to be these."""
    given = {var: Given(k, var.type) for k, var in params.items() if isinstance(var.type, Array)}
    return fold(result, lambda leaf: given.get(leaf, leaf) if isinstance(leaf, Var) else leaf)


class Recurs(Exception):
    """A function turns out to call itself: the activation `outer` is to be written apart; of these leaves, numbers vary."""

    def __init__(self, outer: Activation, varying: frozenset[int] = frozenset()):
        self.outer, self.varying = outer, varying


class Wider(Exception):
    """A call with arguments that a function being written apart was not prepared for; now it is."""

    def __init__(self, apart: Apart):
        self.apart = apart


class NoResult(Exception):
    """The result of a function is needed that no path has given yet."""

    def __init__(self, apart: Apart):
        self.apart = apart


def result_type(core: Core, part, given: Sequence[Type]) -> Type:
    """The type of one result for a caller that gives arguments of these types; other sizes mean nothing to it."""
    if hasattr(part, 'value'):
        return number_type(part.value)
    type_ = core.types[part.id]
    if not isinstance(type_, Array) or type_.dims is None:
        return plain(type_)
    known = _sizes_in_call(core, given)
    dims = [None if d is None or any(s not in known for s, _ in d.terms) else d.substitute(known) for d in type_.dims]
    return Array(type_.dtype, tuple(dims))


def _sizes_in_call(core: Core, given: Sequence[Type]) -> dict[Symbol, Dim]:
    """What the sizes in the types of a function's parameters are in a call."""
    known: dict[Symbol, Dim] = {}
    for name, type_ in zip(core.inputs, given, strict=True):
        own = core.types.get(name)
        match own, type_:
            case Array(dims=tuple(inside)), Array(dims=tuple(outside)) if len(inside) == len(outside):
                pairs = list(zip(inside, outside, strict=True))
            case Scalar(size=Dim() as inside), Scalar(size=Dim() as outside):
                pairs = [(inside, outside)]
            case _:
                continue
        known |= {a.symbol_alone: b for a, b in pairs if a is not None and a.symbol_alone and b is not None}
    return known


def leaves_of(env: dict[str, Binding]) -> list[Binding]:
    return [leaf for binding in env.values() for leaf in flatten(binding)]


def same_function(a: Closure, b: Closure) -> bool:
    """Whether two closures are one function; the same source with other captured values is another one."""
    return a.function.node is b.function.node and a.frame is b.frame and a.function.scope == b.function.scope


def same_structure(a: dict[str, Binding], b: dict[str, Binding]) -> bool:
    return list(a) == list(b) and all(same_shape(a[name], b[name]) for name in a)


def is_runtime(leaf: Binding) -> bool:
    """A variable, or a number that could be one."""
    if isinstance(leaf, Var):
        return isinstance(leaf.type, (Scalar, Array))
    return isinstance(leaf, Known) and is_number(leaf.value) and not isinstance(leaf.value, bool)


def type_of_leaf(leaf: Binding) -> Type:
    return leaf.type if isinstance(leaf, (Var, Given)) else number_type(leaf.value)


def alike(a: Binding, b: Binding) -> bool:
    """Whether two arguments differ at most in their run-time value; a number that is not known any more is one."""
    if not isinstance(a, Var) and not isinstance(b, Var) or not is_runtime(a) or not is_runtime(b):
        return a == b
    return sort_of(type_of_leaf(a)) == sort_of(type_of_leaf(b))


def sort_of(type_: Type):
    return type_.dtype, type_.ndim, type_.dtype.kind in 'fc' and getattr(type_, 'weak', None)


def differing(pairs: list[tuple[Binding, Binding]]) -> frozenset[int]:
    return frozenset(k for k, (a, b) in enumerate(pairs) if a != b)


def kind_of(leaf: Binding, varies: bool) -> Type | Binding:
    return plain(type_of_leaf(leaf)) if is_runtime(leaf) and (varies or isinstance(leaf, Var)) else leaf


def plain(type_: Type) -> Type:
    """The type without what holds for one call only: sizes that are no constants."""
    match type_:
        case Scalar(dtype, weak):
            return Scalar(dtype, weak)
        case Array(dtype, dims) if dims is not None:
            return Array(dtype, tuple(d if d is not None and d.is_constant else None for d in dims))
    return type_


def with_sizes(type_: Type, name: str) -> Type:
    """The type with a symbol for each size that differs from call to call."""
    if not isinstance(type_, Array) or type_.dims is None:
        return type_
    return Array(type_.dtype, tuple(Dim.symbol(f'{name}.{k}') if d is None else d for k, d in enumerate(type_.dims)))


def joined_kinds(a: Type, b: Type, apart: Apart, position: int) -> Type | None:
    """One type for a parameter; None where two arrays need two functions."""
    a, b = plain(a), plain(b)
    if isinstance(a, Array) and isinstance(b, Array) and (a.dtype, a.ndim) != (b.dtype, b.ndim):
        return None
    joined = join_types(a, b)
    return joined if isinstance(joined, (Scalar, Array)) else None


def typed_results(result: Binding, kinds: Binding) -> list[tuple[Binding, Type]]:
    return [(leaf, kind.type) for leaf, kind in zip(flatten(result), flatten(kinds), strict=True) if isinstance(kind, Var)]
