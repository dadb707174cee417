"""Thin decompositions in place of full ones of which the vectors are not read: those beyond the rank have no derivative."""
from __future__ import annotations

from collections.abc import Collection, Sequence

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import all_reads, blocks, defined
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.specialize.specialize import specialize_again
from transpiler.values.types import Array

VALUES = 1  # the place of singular values among what `np.linalg.svd` gives


def with_thin_decompositions(core: Core) -> Core:
    """`np.linalg.svd(a, full_matrices=False)` of matrices that are not square, where nothing but singular values is read."""
    full = {name for s in core.statements if (name := defined(s)) is not None and _is_full(core, s)}
    if not full:
        return core
    read = all_reads(core.body)
    full -= {name for s in core.statements if not blocks(s) and not _takes_values(s, read) for name in all_reads([s])}
    if not full:
        return core
    return specialize_again(core.with_body(_block(core.body, full)))


def _is_full(core: Core, statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.linalg.svd'), args=[gast.Name(id=matrix)], keywords=[])):
            type_ = core.types.get(matrix)
            return not isinstance(type_, Array) or type_.dims is None or type_.dims[-1] != type_.dims[-2]
    return False


def _takes_values(statement: gast.stmt, read: Collection[str]) -> bool:
    """Whether a statement takes singular values out of a decomposition, or vectors that nobody reads."""
    match statement:
        case gast.Assign(value=gast.Subscript(value=gast.Name(), slice=gast.Constant(value=place))):
            return place == VALUES or defined(statement) not in read
    return False


def _block(body: Sequence[gast.stmt], full: set[str]) -> list[gast.stmt]:
    done = []
    for statement in body:
        if inner := blocks(statement):
            statement = with_blocks(statement, [_block(block, full) for block in inner])
        elif defined(statement) in full:
            call = build.call('numpy.linalg.svd', *statement.value.args, full_matrices=False)
            statement = build.like(statement, value=call)
        done.append(statement)
    return done
