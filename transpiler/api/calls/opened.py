"""What is left of a function at one point, used inside a function that is transformed: its program is written there."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gast
import numpy as np

from transpiler.core.language import Core, Leaf, Node, Tree
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, tree_of
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.specialize import inline_core
from transpiler.specialize.structures.container import Container
from transpiler.values.types import Array, Scalar, Tape


def opened(ev: Evaluator, core: Core, kept: SimpleNamespace, late: Binding, like: Any) -> Binding:
    """The result of a program of which `kept` holds all arguments but the last, which is `late`, shaped as `like`."""
    if core.functions or any(isinstance(core.types[name], Tape) for name in core.inputs):
        raise UnsupportedFunction(
            f'`{core.name}` is not supported here', ev.origin,
            why='what it keeps of loops and recursive functions lies in lists',
            instead='call `vjp` or `linearize` in a function, and transform that function')
    *params, last = core.params
    inputs = []
    for param in params:
        value = getattr(kept, param.name)
        inputs += [leaf for leaf, _, _ in _leaves(ev, param.tree, ev.captures.object_value(kept, param.name, value), value)]
    for leaf, name, wanted in _leaves(ev, last.tree, late, like):
        inputs.append(_fitted(ev, leaf, core.types[name], wanted))
    return inline_core(ev, core, inputs)


def _leaves(ev: Evaluator, tree: Tree, given: Binding, like: Any) -> Iterator[tuple[Binding, str, Any]]:
    """Numbers and arrays, by the names that the program has for them, each with its counterpart in `like`."""
    match tree:
        case Leaf(name):
            yield given, name, like
        case Node(kind, children, keys):
            given = ev.current(given)
            own = tree_of(given)
            fits = isinstance(own, Node) and (own.kind, len(own.children), own.keys) == (kind, len(children), keys)
            if not isinstance(given, Container) or not fits:
                raise UnsupportedFunction(f'{ev.describe(given)} stands for a {kind} of {len(children)}', ev.origin,
                                          instead='give the structure of what the function takes, or gives')
            parts = [getattr(like, key) for key in keys] if kind == 'object' else [like[k] for k in keys or range(len(children))]
            for child, item, part in zip(children, given.items, parts, strict=True):
                yield from _leaves(ev, child, item, part)


def _fitted(ev: Evaluator, given: Binding, type_: Array | Scalar, like: Any) -> Binding:
    """A tangent or cotangent in the dtype of what it belongs to; ValueError where its shape is another."""
    own, shape = ev.resolve(ev.operand(given)[1]), np.shape(like)
    if not isinstance(own, (Array, Scalar)) or own.ndim != len(shape) or own.dtype.kind not in 'fiu' + type_.dtype.kind:
        raise UnsupportedFunction(f'{ev.describe(given)} is no tangent or cotangent of an array with {len(shape)} axes',
                                  ev.origin)
    if isinstance(given, Var) and isinstance(own, Array):
        for axis, (dim, size) in enumerate(zip(own.dims or (), shape, strict=True)):
            differs = ev.compare(gast.NotEq, ev.expressions.size(given, axis, dim), Known(size))
            ev.operations.raise_if(differs, f'the shape of a tangent or cotangent is not {shape}')
    return given if own.dtype == type_.dtype else ev.cast(given, type_.dtype)
