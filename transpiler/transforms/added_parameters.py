"""Parameters that transformations add: their names, and what a call inside a program gives for them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from transpiler.core.language import Core, Leaf, Node, Static, Tree
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.rules.base.callables import in_one_call, with_source
from transpiler.rules.base.methods import METHODS
from transpiler.rules.base.registry import RULES
from transpiler.source.reading.capture import Function, Nowhere, capture, of_one_line
from transpiler.source.reading.decorated import STARS, spelled_out
from transpiler.specialize.domain.bindings import Binding, Closure, Derived, Known, Method, Partial
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.objects import Object
from transpiler.transforms.steps import Step
from transpiler.values.types import Array, Scalar, Type, Unknown


def unwound(binding: Binding, read: Callable[[Any], Function] = capture) -> tuple[list[Step], Closure | None]:
    """The transformations of a derivative, innermost first, and the function itself, if it is one, as `read` reads it."""
    transforms: list[Step] = []
    while isinstance(binding, Derived):
        transforms.insert(0, binding.transform)
        binding = binding.function
    if isinstance(binding, Known):
        held = () if isinstance(binding.value, FunctionType) else getattr(binding.value, 'transforms', ())  # `wraps` copies them
        transforms = [*held, *transforms]
        value = binding.value if isinstance(binding.value, Function) else with_source(binding.value)
        if isinstance(value, MethodType) and isinstance(value.__func__, FunctionType):
            binding = Partial(Closure(read(value.__func__)), (Known(value.__self__),))
        else:
            binding = Closure(value if isinstance(value, Function) else read(value))
    match binding:
        case Object(type=type(__call__=FunctionType() as called)):
            binding = Partial(Closure(read(called)), (binding,))
        case Method(receiver, name) if in_one_call(name):
            binding = Partial(Known(RULES[METHODS[name]].primitive), (receiver,))
    if isinstance(binding, Partial):
        binding = _of_partial(binding)
    return transforms, binding if isinstance(binding, Closure) else None


def _of_partial(partial: Partial) -> Closure:
    """A function that calls it, of the parameters that it leaves."""
    whole = whole_signature(partial.function)
    held = whole.bind_partial(*partial.args, **dict(partial.keywords)).arguments
    left = [p for p in whole.parameters.values() if p.name not in held or p.kind in STARS]
    text = spelled_out('partial', inspect.Signature(left), 'partial_', by_name=True)
    _, own = unwound(partial.function)
    values, bindings = (own.function.defaults, own.defaults) if own is not None else ({}, ())
    return Closure(of_one_line('partial', text, Nowhere(), values), Frame(None, {'partial_': partial}), bindings)


def added_to(derived: Derived) -> list[str]:
    """The parameters that the last transformation of a derivative adds."""
    before = whole_signature(derived.function)
    return [name for name in derived.transform.signature(before).parameters if name not in before.parameters]


def whole_signature(binding: Binding) -> inspect.Signature:
    """The parameters of a function of the program, or of a derivative of one."""
    transforms, function = unwound(binding)
    own = inspect.Signature() if function is None else signature_of(function)
    return functools.reduce(lambda signature, step: step.signature(signature), transforms, own)


def signature_of(function: Closure) -> inspect.Signature:
    """The parameters of a function of the program; a default is None, whatever it is."""
    own = function.function.node.args
    default = lambda given: inspect.Parameter.empty if given is None else None
    lacking: list[Any] = [None] * (len(own.posonlyargs) + len(own.args) - len(own.defaults))
    before, defaults, bound = [], [*lacking, *own.defaults], int(function.function.owner is not None)
    for kind, params, given in (
        (inspect.Parameter.POSITIONAL_ONLY, own.posonlyargs, defaults[: len(own.posonlyargs)]),
        (inspect.Parameter.POSITIONAL_OR_KEYWORD, own.args, defaults[len(own.posonlyargs) :]),
        (inspect.Parameter.VAR_POSITIONAL, [own.vararg] if own.vararg else [], [None]),
        (inspect.Parameter.KEYWORD_ONLY, own.kwonlyargs, own.kw_defaults),
        (inspect.Parameter.VAR_KEYWORD, [own.kwarg] if own.kwarg else [], [None]),
    ):
        before += [inspect.Parameter(p.id, kind, default=default(d)) for p, d in zip(params, given, strict=False)]
    return inspect.Signature(before[bound:])


def parted(
    ev: Evaluator, function: Closure, transforms: Sequence[Step], args: list[Binding], keywords: Mapping[str, Binding]
) -> tuple[list[Binding], Mapping[str, Binding], dict[str, Binding]]:
    """The arguments of the function itself, and by name those of the parameters that the transformations add."""
    own = signature_of(function)
    whole = functools.reduce(lambda signature, step: step.signature(signature), transforms, own)
    if list(whole.parameters) == list(own.parameters):
        return args, keywords, {}
    try:
        bound = whole.bind(*args, **keywords)
    except TypeError as error:
        raise TranspileError(f'`{function.function.name}`, transformed, is called wrongly: {error}', ev.origin) from None
    more = {name: bound.arguments.pop(name) for name in whole.parameters if name not in own.parameters}
    rest = inspect.BoundArguments(own, bound.arguments)
    return list(rest.args), rest.kwargs, more


def paired(ev: Evaluator, name: str, tree: Tree, given: Binding, core: Core, fits: bool) -> Iterator[tuple[str, Binding]]:
    """The leaves of a parameter that a transformation has added, with what is given for them; `fits`: of what types is known."""
    match tree, given:
        case Leaf(leaf), Var() | Known():
            yield leaf, _fitted(ev, name, given, core.types[leaf]) if fits else given
        case Node(_, children, keys), Container(items=items) if (len(children), keys) == (len(items), given.keys):
            for child, item in zip(children, items, strict=True):
                yield from paired(ev, name, child, item, core, fits)
        case Static(), Known():
            pass
        case _:
            raise TranspileError(f'`{name}` has another structure than the value it belongs to', ev.origin)


def _fitted(ev: Evaluator, name: str, given: Binding, type_: Type) -> Binding:
    """An argument for a parameter of `type_`: of the same rank and sizes, in its dtype."""
    own = ev.operand(given)[1]
    if isinstance(own, Unknown) or isinstance(type_, Unknown):
        return given
    if own.ndim != type_.ndim:
        raise TranspileError(
            f'`{name}` is {own}, but the value it belongs to is {type_}', ev.origin, why='their shapes must be the same'
        )
    if isinstance(own, Array) and own.dims is not None and type_.dims is not None:
        for mine, other in zip(own.dims, type_.dims, strict=True):
            if mine is not None and other is not None and mine != other and (mine.is_one or other.is_one):
                raise TranspileError(f'`{name}` is {own}, but the value it belongs to is {type_}', ev.origin)
        ev.inference.infer('numpy.add', np.add, [own, type_], {})  # sizes are equal from here on, or the call is refused
    if own.dtype.kind in 'iub' and isinstance(given, Known):
        return Known(float(given.value))
    weak = isinstance(own, Scalar) and (own.weak or getattr(type_, 'weak', False))
    return given if own.dtype == type_.dtype or weak else ev.cast(given, type_.dtype)
