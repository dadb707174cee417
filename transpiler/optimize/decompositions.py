"""Eigenvalues or singular values alone, of a matrix whose vectors are needed later: it is decomposed once."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, primitive, walk
from transpiler.core.text import dump
from transpiler.optimize.facts import Facts, forward, unchanged_or, with_blocks
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
    if not any(isinstance(s, gast.Assign) and primitive(s.value) in PLACE_OF_VALUES for s in walk(core.body)):
        return core
    found: dict[str, gast.Assign] = {}

    def look(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        if isinstance(statement, gast.Assign) and (alone := _values_alone(statement.value)) is not None:
            holder = facts.holder(alone, statement.role)
            if holder is not None and _has_parts_for_itself(core, statement):
                found.setdefault(holder, statement)
        return [statement]
    forward(core, look)
    once = {name: whole for name, whole in found.items() if sum(defined(s) == name for s in walk(core.body)) == 1}
    return unchanged_or(core, _block(core.body, once)) if once else core


def _values_alone(value: gast.expr) -> gast.Call | None:
    """The call that gives no more than the values of this decomposition."""
    match value:
        case gast.Call(func=gast.Name(id='numpy.linalg.eigh'), args=args, keywords=keywords):
            return build.like(build.call('numpy.linalg.eigvalsh', *args), keywords=keywords)
        case gast.Call(func=gast.Name(id='numpy.linalg.svd'), args=[matrix], keywords=keywords) if all(
                keyword.arg == 'full_matrices' for keyword in keywords):
            return build.call('numpy.linalg.svd', matrix, compute_uv=False)
    return None


def _has_parts_for_itself(core: Core, whole: gast.Assign) -> bool:
    """Nobody reads its values, which another name is going to hold."""
    target, place = defined(whole), PLACE_OF_VALUES[primitive(whole.value) or '']
    values = dump(build.subscript(target, place))
    parts = [node for s in walk(core.body) for node in gast.walk(s) if isinstance(node, gast.Subscript)]
    return sum(defined(s) == target for s in walk(core.body)) == 1 and all(dump(part) != values for part in parts)


def _block(body: Sequence[gast.stmt], found: dict[str, gast.Assign]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    moved: list[gast.stmt] = []
    for statement in body:
        whole = found.get(defined(statement) or '')
        if whole is not None and any(whole is other for other in body):
            target, place = whole.targets[0].id, PLACE_OF_VALUES[primitive(whole.value) or '']
            parts = [other for other in body if _is_part_of(target, other)]
            done.append(build.assign(target, whole.value, statement.origin, statement.role))
            done.append(build.like(statement, value=build.subscript(target, place)))
            done += parts
            moved += [whole, *parts]
        elif not any(statement is other for other in moved):
            inner = blocks(statement)
            done.append(with_blocks(statement, [_block(block, found) for block in inner]) if inner else statement)
    return done


def _is_part_of(decomposition: str, statement: gast.stmt) -> bool:
    """`v = parts[1]`"""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=int()))):
            return name == decomposition
    return False
