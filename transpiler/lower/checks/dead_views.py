"""Views and patterns that nobody reads any more, once loops read what is behind them, or say what is in them."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.effects import fit
from transpiler.analyses.numeric.ranges import makes_sizes
from transpiler.core.indices import entries_of, integer, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import all_reads, blocks, defined
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.values.types import Array, Scalar


def without_idle_views(core: Core, guarded: bool = False) -> Core:
    """Leave out views and patterns that are not read, unless an index or a size may be wrong; in a guarded program no index is.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import INT
    >>> table, row = (Array(np.dtype(float), dims) for dims in ((None, None), (None,)))
    >>> types = dict(x=table, y=table, row=row, n=INT)
    >>> core = parse('y = x[1:]; z = np.transpose(y); row = x[n]; return x', types=types | {'z': table})
    >>> [[Spelling().statement(s) for s in without_idle_views(core, guarded).body] for guarded in (False, True)]
    [['row = x[n]', 'return x'], ['return x']]
    """
    read = all_reads(core.body)
    kept = _kept(core.body, read, core, guarded)
    return core if kept == list(core.body) else without_idle_views(core.with_body(kept), guarded)


def _kept(body: Sequence[gast.stmt], read: set[str], core: Core, guarded: bool) -> list[gast.stmt]:
    kept = [s for s in body if defined(s) in read or not _is_idle(s, core, guarded)]
    return [with_blocks(s, [_kept(b, read, core, guarded) for b in blocks(s)]) if blocks(s) else s for s in kept]


def _is_idle(statement: gast.stmt, core: Core, guarded: bool) -> bool:
    if not isinstance(core.types.get(defined(statement) or ''), Array):
        return False
    match statement:
        case gast.Assign(value=gast.Name() | gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name()], keywords=[])):
            return True
        case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.eye' | 'numpy.full')) as value):
            return statement.role != 'primal' or makes_sizes(core, value, statement)
        case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.broadcast_to'), args=[array, *_])):
            return statement.role != 'primal' or fit([array, statement.targets[0]], core.types)
        case gast.Assign(value=gast.Subscript(value=gast.Name(), slice=index)):
            return all(_is_right(entry, core, guarded) for entry in entries_of(index))
    return False


def _is_right(entry: gast.expr, core: Core, guarded: bool) -> bool:
    """Whether an entry of an index picks something certainly."""
    if isinstance(entry, gast.Slice):
        return bool(integer(entry.step, 1))
    if is_new(entry) or is_dots(entry):
        return True
    number = integer(entry) is not None or isinstance(entry, gast.Name) and isinstance(core.types.get(entry.id), Scalar)
    return guarded and number
