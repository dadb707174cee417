"""Which axis of which argument is that of the examples: `in_axes` and `out_axes` are pytrees, or prefixes of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from inspect import Signature
from typing import Any

from transpiler.core.language import Core, Leaf, Node, Param, Static, Tree
from transpiler.errors import Misfit
from transpiler.specialize.domain.abstraction import is_given
from transpiler.specialize.domain.pytrees import attributes
from transpiler.values.types import Array, Scalar, Type


def matching(axes: Any, kind: str, count: int, keys: Sequence[Any], what: str) -> list[Any]:
    """The axes of the parts of a container: one for all of them, or a container of the same structure.

    >>> matching(0, 'tuple', 2, (), 'in_axes'), matching({'w': None, 'b': 0}, 'dict', 2, ('b', 'w'), 'in_axes')
    ([0, 0], [0, None])
    """
    if axes is None or isinstance(axes, int):
        return [axes] * count
    if isinstance(axes, dict):
        if kind == 'dict' and set(axes) == set(keys):
            return [axes[key] for key in keys]
    elif isinstance(axes, (tuple, list)) and not hasattr(axes, '_fields'):
        if kind in ('tuple', 'list') and len(axes) == count:
            return list(axes)
    elif (parts := attributes(axes)) is not None and set(keys) <= set(parts):
        return [parts[key][0] for key in keys]
    raise Misfit(f'vmap: {what}={axes!r} does not have the structure of a {kind} of {count}')


def leaf_axes(axes: Any, tree: Tree) -> list[int | None]:
    """The axis of every number and array in a tree of values, known or not."""
    if isinstance(tree, Node):
        own = matching(axes, tree.kind, len(tree.children), tree.keys, 'in_axes')
        return [axis for part, a in zip(tree.children, own, strict=True) for axis in leaf_axes(a, part)]
    if not (axes is None or isinstance(axes, int)):
        raise Misfit(f'vmap: in_axes={axes!r} is a container where an argument is a number or an array')
    return [axes] if is_value(tree) else []


def is_value(tree: Tree) -> bool:
    """Whether a leaf is a number or an array; one may have become a constant."""
    return isinstance(tree, Leaf) or isinstance(tree, Static) and is_given(tree.value)


def value_leaves(tree: Tree) -> list[Leaf | Static]:
    """The numbers and arrays of a tree."""
    if isinstance(tree, Node):
        return [leaf for part in tree.children for leaf in value_leaves(part)]
    return [tree] if is_value(tree) else []


def axes_within(tree: Tree, axes: Sequence[int | None], path: Sequence[int]) -> Sequence[int | None]:
    """Of the axes of the numbers and arrays of a tree, those of the part that `path` leads to, item by item.

    >>> list(axes_within(Node('tuple', (Leaf('a'), Node('list', (Leaf('b'), Leaf('c'))))), [None, 0, 1], [1]))
    [0, 1]
    """
    for item in path:
        start = sum(len(value_leaves(part)) for part in tree.children[:item])
        tree = tree.children[item]
        axes = axes[start : start + len(value_leaves(tree))]
    return axes


@dataclass(frozen=True)
class Mapped:
    """A call of a batched function: of every parameter the axes of its numbers and arrays, and the number of examples.

    inner: the shapes that are left for one example
    """

    axes: Mapping[str, tuple[int | None, ...]]
    sizes: Sequence[tuple[str, Any]]
    inner: Mapping[str, list[tuple]]


def mapped(axes: Mapping[str, Any], trees: Mapping[str, Tree], shapes: Mapping[str, list[tuple]]) -> Mapped:
    """What the axes of the parameters mean for values of these structures and shapes.

    sizes: for each batched value what it is called, and its number of examples
    """
    found: dict[str, tuple[int | None, ...]] = {}
    sizes: list[tuple[str, Any]] = []
    inner = dict(shapes)
    for name, own in axes.items():
        numbers = leaf_axes(own, trees[name])
        settled = [None if a is None else _settled(name, a, shape) for a, shape in zip(numbers, shapes[name], strict=True)]
        found[name] = tuple(settled)
        inner[name] = [shape if a is None else shape[:a] + shape[a + 1 :] for a, shape in zip(settled, shapes[name], strict=True)]
        sizes += [(f'axis {a} of `{name}`', shape[a]) for a, shape in zip(settled, shapes[name], strict=True) if a is not None]
    return Mapped(found, sizes, inner)


def _settled(name: str, axis: int, shape: tuple) -> int:
    if not shape:
        raise Misfit(f'vmap: `{name}` is mapped over axis {axis}, but it holds a number: pass an array, or in_axes=None')
    if not -len(shape) <= axis < len(shape):
        raise Misfit(f'vmap: axis {axis} is out of range for `{name}`, which holds an array of rank {len(shape)}')
    return axis % len(shape)


def parameter_axes(in_axes: Any, signature: Signature, positional: int, named: Collection[str]) -> dict[str, Any]:
    """The axes of each parameter of a call with so many positional arguments and these by name; a default has none.

    >>> import inspect
    >>> def f(x, y, z=1.0, **more): ...
    >>> parameter_axes((0, None), inspect.signature(f), 2, ['w'])
    {'x': 0, 'y': None, 'z': None, 'more': 0}
    """
    parts = [in_axes] * positional if in_axes is None or isinstance(in_axes, int) else in_axes
    if not isinstance(parts, (tuple, list)) or len(parts) != positional:
        raise Misfit(f'vmap: in_axes={in_axes!r} does not fit a call with {positional} positional arguments')
    found: dict[str, Any] = {}
    rest = list(parts)
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            found[name], rest = tuple(rest), []
        elif parameter.kind is parameter.VAR_KEYWORD:
            found[name] = 0
        elif rest and parameter.kind is not parameter.KEYWORD_ONLY:
            found[name] = rest.pop(0)
        else:
            found[name] = 0 if name in named else None
    return found


def axes_of_any_call(core: Core, in_axes: Any) -> dict[str, Any]:
    """The axes of each parameter where no call is known: what has a default is given only if a tuple of axes says so."""
    own = [param for param in core.params if param.kind != 'capture']
    given = {param.name: 0 for param in own if param.kind in ('keyword', 'options') and param.default is None}
    if not isinstance(in_axes, (tuple, list)):
        return {param.name: in_axes for param in own if param.default is None} | given
    positional = [param for param in own if param.kind in ('positional', 'own')]
    stars = [param for param in own if param.kind == 'star']
    least, most = (sum(p.default is None for p in positional), len(positional) + sum(len(p.tree.children) for p in stars))
    if not least <= len(in_axes) <= most:
        counts = f'{least}' if least == most else f'{least} to {most}'
        what = f'vmap: in_axes={in_axes!r} does not fit `{core.name}`, which takes {counts} positional arguments'
        raise Misfit(what, core.origin)
    given |= {param.name: axes for param, axes in zip(positional, in_axes, strict=False)}
    return given | {param.name: tuple(in_axes[len(positional) :]) for param in stars}


def check_axis(core: Core, param: Param, axis: int | None, type_: Type) -> None:
    """Refuse an axis that examples of this type cannot be put along."""
    rank = type_.ndim if isinstance(type_, (Array, Scalar)) else None
    if axis is not None and rank is not None and not -rank - 1 <= axis <= rank:
        one = 'is a number' if rank == 0 else f'has rank {rank}'
        what = f'vmap: axis {axis} is out of range for `{param.name}`, of which one example {one}'
        raise Misfit(what, param.origin or core.origin)


def of_one(type_: Type, axes: Sequence[int]) -> Type:
    """The type of one example, from that of a batch that loses these axes one after the other.

    >>> import numpy as np
    >>> from transpiler.values.dims import Dim
    >>> print(of_one(Array(np.dtype(float), (Dim.of(2), Dim.of(3))), [1]), of_one(Array(np.dtype(float), (Dim.of(2),)), [0]))
    float64[2] float64
    """
    if not axes or not isinstance(type_, Array) or type_.dims is None:
        return type_
    dims = list(type_.dims)
    for axis in axes:
        del dims[axis]
    return Array(type_.dtype, tuple(dims)) if dims else Scalar(type_.dtype)
