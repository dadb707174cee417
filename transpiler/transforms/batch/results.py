"""The results of a batched program: the axis of examples put where it is wanted."""

from __future__ import annotations

from typing import Any

import gast

from transpiler.core import build
from transpiler.errors import Misfit
from transpiler.rules.python import REPEATED_FOR_ALL
from transpiler.specialize.kinds.choices import Choice, Either, choice_of, flags_of_items
from transpiler.transforms.batch.axes import matching
from transpiler.transforms.batch.lifting import Lift
from transpiler.values.types import Tape


def stacked(lift: Lift, result: gast.expr, out_axes: Any) -> gast.expr:
    """The result for all examples; what they share is repeated, unless its axis is None."""
    return _leaf(lift, result, out_axes) if _is_leaf(result) else _container(lift, result, out_axes)


def _is_leaf(node: gast.expr) -> bool:
    return not isinstance(node, (gast.Tuple, gast.List, gast.Dict, gast.Call))


def _container(lift: Lift, node: gast.expr, axes: Any) -> gast.expr:
    match node:
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            own = matching(axes, 'tuple' if isinstance(node, gast.Tuple) else 'list', len(parts), (), 'out_axes')
            return build.like(node, elts=[stacked(lift, p, a) for p, a in zip(parts, own, strict=True)])
        case gast.Dict(keys=keys, values=parts):
            own = matching(axes, 'dict', len(parts), tuple(k.value for k in keys), 'out_axes')
            return build.like(node, values=[stacked(lift, p, a) for p, a in zip(parts, own, strict=True)])
        case gast.Call(keywords=fields) if (choice := choice_of(node)) is not None:
            return build.like(node, keywords=[_of_choice(lift, choice, field, axes) for field in fields])
        case gast.Call(keywords=fields):
            own = matching(axes, 'object', len(fields), tuple(f.arg for f in fields), 'out_axes')
            return build.like(node, keywords=[build.like(f, value=stacked(lift, f.value, a))
                                              for f, a in zip(fields, own, strict=True)])
    raise AssertionError(node)


def _of_choice(lift: Lift, choice: Choice, field: gast.keyword, axes: Any) -> gast.keyword:
    """A part of a result that is one thing or another: the same one for all examples."""
    if field.arg != choice.decided_by:
        return build.like(field, value=stacked(lift, field.value, axes))
    if lift.operands.is_batched(field.value) and field.value.id not in flags_of_items(lift.core):
        raise Misfit(f'vmap: the result is {choice.spoken}', lift.core.body[-1].origin,
                     why='the results of all examples are one array', instead='give the same kind of thing on all paths')
    return field


def _leaf(lift: Lift, node: gast.expr, axis: int | None) -> gast.expr:
    if isinstance(node, gast.Constant) and not isinstance(node.value, (bool, int, float, complex)):
        return node
    if not (axis is None or isinstance(axis, int)):
        raise Misfit(f'vmap: out_axes={axis!r} is a container where the result is a number or an array')
    batched = lift.operands.is_batched(node)
    if isinstance(node, gast.Name) and isinstance(lift.core.types.get(node.id), Tape) and axis is not None:
        return _list(lift, node, axis)
    rank = lift.operands.rank(node)
    if axis is None:
        if batched:
            raise Misfit('vmap: out_axes is None for a result that differs from example to example')
        return node
    if rank is None and not batched:
        raise Misfit(f'vmap: the result is {Either.spoken}', lift.core.body[-1].origin,
                     why='the results of all examples are one array', instead='give the same kind of thing on all paths')
    if rank is not None and not -rank - 1 <= axis <= rank:
        raise Misfit(f'vmap: out_axes={axis} is out of range for a result of rank {rank + 1}')
    whole = node if batched else lift.operands.repeated(node)
    whole = build.call('numpy.copy', whole) if rank and not batched else whole
    return whole if axis == 0 or rank is not None and axis == -rank - 1 else build.call('numpy.moveaxis', whole, 0, axis)


def _list(lift: Lift, node: gast.Name, axis: int) -> gast.expr:
    """A list of run-time length, whose items are those of all examples."""
    if axis != 0:
        raise Misfit(f'vmap: out_axes={axis} for a list of run-time length, whose items have the axis of the examples first')
    if not lift.operands.is_batched(node):
        return build.made_of_lists(REPEATED_FOR_ALL, node, lift.count)
    return node
