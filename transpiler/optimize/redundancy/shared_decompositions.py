"""Eigenvalues or singular values alone, of a matrix whose vectors are needed later: it is decomposed once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_reads, blocks, defined, parts, primitive
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import Facts, forward, unchanged_or, with_blocks
from transpiler.passes import rewrite

PLACE_OF_VALUES = {'numpy.linalg.eigh': 0, 'numpy.linalg.svd': 1}   # among the parts of a decomposition


@rewrite('whole decompositions')
def decompose_once(core: Core) -> Core:
    """Do the decomposition where its values are needed first.

    Legal because nothing in between writes into the matrix, both stand in one block, and nobody else has the values.

    >>> from transpiler.passes import show
    >>> show(decompose_once, '''
    ... w = np.linalg.eigvalsh(a)
    ... s = np.sum(w)
    ... parts = np.linalg.eigh(a)
    ... v = parts[1]
    ... return s, v''')
    parts = np.linalg.eigh(a)
    w = parts[0]
    v = parts[1]
    s = np.sum(w)
    return s, v
    """
    if not any(isinstance(s, gast.Assign) and primitive(s.value) in PLACE_OF_VALUES for s in core.statements):
        return core
    found: dict[str, gast.Assign] = {}
    bindings = Counter(defined(s) for s in core.statements)
    read = Counter(dump(part) for s in core.statements for part in parts(s) if isinstance(part, gast.Subscript))

    def look(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        if isinstance(statement, gast.Assign) and (alone := _values_alone(statement.value)) is not None:
            holder, whole = facts.holder(alone, statement.role), defined(statement) or ''
            taken = read[dump(_values_of(statement))]       # by somebody else, who is going to have them beside the holder
            if holder is not None and bindings[holder] == bindings[whole] == 1 and not taken:
                found.setdefault(holder, statement)
        return [statement]
    forward(core, look)
    return unchanged_or(core, _block(core.body, found)) if found else core


def _values_alone(value: gast.expr) -> gast.Call | None:
    """The call that gives no more than the values of this decomposition."""
    match value:
        case gast.Call(func=gast.Name(id='numpy.linalg.eigh'), args=args, keywords=keywords):
            return build.like(build.call('numpy.linalg.eigvalsh', *args), keywords=keywords)
        case gast.Call(func=gast.Name(id='numpy.linalg.svd'), args=[matrix], keywords=keywords) if all(
                keyword.arg == 'full_matrices' for keyword in keywords):
            return build.call('numpy.linalg.svd', matrix, compute_uv=False)
    return None


def _values_of(whole: gast.Assign) -> gast.Subscript:
    return build.subscript(whole.targets[0].id, PLACE_OF_VALUES[primitive(whole.value) or ''])


def _block(body: Sequence[gast.stmt], found: dict[str, gast.Assign]) -> list[gast.stmt]:
    """The block with decompositions, and what is taken of their parts, where their values are needed first."""
    done: list[gast.stmt] = []
    moved: set[int] = set()
    for place, statement in enumerate(body):
        whole = found.get(defined(statement) or '')
        later = body[place + 1:]
        if whole is not None and any(whole is other for other in later) and not _is_read_before(whole, later):
            together = [whole, *(other for other in later if _is_part(other, whole) and not _is_read_before(other, later))]
            done.append(build.assign(whole.targets[0].id, whole.value, statement.origin, statement.role))
            done.append(build.like(statement, value=_values_of(whole)))
            done += together[1:]
            moved |= set(map(id, together))
        elif id(statement) not in moved:
            inner = blocks(statement)
            done.append(with_blocks(statement, [_block(block, found) for block in inner]) if inner else statement)
    return done


def _is_part(statement: gast.stmt, whole: gast.Assign) -> bool:
    """`v = parts[1]`"""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=int()))):
            return name == defined(whole)
    return False


def _is_read_before(statement: gast.stmt, body: Sequence[gast.stmt]) -> bool:
    """Whether a name is met before the statement that gives it a value, as in a loop that carries it along."""
    before = list(takewhile(lambda other: other is not statement, body))
    return defined(statement) in all_reads(before) | all_defined(before)
