"""Stores of what lies in the same memory: all of it is read before any of it is written."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import Memory, memory
from transpiler.analyses.memory.views import Views, views_of
from transpiler.core import build
from transpiler.core.indices import dots_spelled_out, entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import blocks
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite


@rewrite('overlapping stores', surface=True)
def buffer_overlaps(core: Core) -> Core:
    """Copy what is stored into memory that it is a view of, where NumPy itself would not.

    NumPy does where there are several axes, or steps of opposite signs; along one axis it begins at the end that suits equal
    steps (`raw_array_assign_array`), and with unequal ones it reads what it has just written: `x[::2] = x[:3]`, `x[1] = x[:, 2]`.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> x = Array(np.dtype(float), (None,))
    >>> show(buffer_overlaps, 'y = x[:3]; x[::2] = y; z = x[1:]; x[:-1] = z; return x', params='x', types={n: x for n in 'xyz'})
    y = x[:3]
    x[::2] = y.copy()
    z = x[1:]
    x[:-1] = z
    return x
    """
    found, views = memory(core), views_of(core)
    return unchanged_or(core, _block(core.body, core, found, views))


def _block(body: Sequence[gast.stmt], core: Core, found: Memory, views: Views) -> list[gast.stmt]:
    made = []
    for s in body:
        match s:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=gast.Name(id=name)) if (
                found.may_alias(base, name)
                and (_is_masked(core, index)
                     or _is_line(core, base, index) and not _of_one_stride(core, base, index, views.get(name)))
            ):
                s = build.like(s, value=build.call('numpy.copy', name))
        made.append(with_blocks(s, [_block(b, core, found, views) for b in blocks(s)]) if blocks(s) else s)
    return made


def _is_line(core: Core, base: str, index: gast.expr) -> bool:
    """Whether what is written may lie along one axis."""
    rank, entries = getattr(core.types.get(base), 'ndim', None), entries_of(index)
    if rank is None:
        return True
    kept = [e for e in entries if isinstance(e, gast.Slice) or is_dots(e)]
    new = [e for e in entries if is_new(e)]
    return rank - (len(entries) - len(kept) - len(new)) + len(new) == 1


def _is_masked(core: Core, index: gast.expr) -> bool:
    types = [core.types.get(entry.id) for entry in entries_of(index) if isinstance(entry, gast.Name)]
    return any(getattr(getattr(type_, 'dtype', None), 'kind', '') == 'b' for type_ in types)


def _of_one_stride(core: Core, base: str, index: gast.expr, view: gast.expr | None) -> bool:
    match view:
        case gast.Subscript(value=gast.Name(id=source), slice=part) if source == base:
            strides = _strides(core, base, index)
            return strides is not None and strides == _strides(core, base, part)
    return False


def _strides(core: Core, base: str, index: gast.expr) -> list[str] | None:
    """How far an index goes along every axis from one item to the next: by a step, or not at all."""
    rank = getattr(core.types.get(base), 'ndim', None)
    if rank is None:
        return None
    return [(dump(e.step) if e.step else '1') if isinstance(e, gast.Slice) else '0'
            for e in dots_spelled_out(entries_of(index), rank) if not is_new(e)]
