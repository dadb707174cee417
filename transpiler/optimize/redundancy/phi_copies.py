"""What is merged with a name that only one arm of a branch gives a value is merged in that arm."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import gast

from transpiler.analyses.dataflow.definitions import counts, surely, times
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_reads, all_written, blocks
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite

Block = list[gast.stmt]


@rewrite('copies in arms')
def copy_in_arms(core: Core) -> Core:
    """Move `a = b` into the arm of a branch that alone gives `b` a value: on the other path it would read a name without one.

    Legal because nothing in between reads or binds `a`, and nothing binds `b` anywhere else: as the specialiser writes programs,
    a name that keeps its value from one iteration of a loop to the next is bound before the loop as well.

    >>> from transpiler.passes import show
    >>> show(copy_in_arms, '''
    ... if test:
    ...     b = x * x
    ... y = 2 * x
    ... a = b
    ... return y''')
    if test:
        b = x * x
        a = b
    y = 2 * x
    return y
    """
    return unchanged_or(core, _block(list(core.body), counts(core.body)))


def _block(body: Block, bound: Counter) -> Block:
    done: Block = []
    for statement in body:
        if blocks(statement):
            statement = with_blocks(statement, [_block(list(b), bound) for b in blocks(statement)])
        place = _arm(statement, done, bound)
        if place is None:
            done.append(statement)
        else:
            done[place] = _with_copy(done[place], statement)
    return done


def _arm(statement: gast.stmt, before: Block, bound: Counter) -> int | None:
    """The position of the branch in whose arm a copy belongs."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=source)) if bound[source]:
            pass
        case _:
            return None
    for place in reversed(range(len(before))):
        other = before[place]
        if isinstance(other, gast.If) and times(source, [other]) == bound[source]:
            return None if surely(source, other) or target in _named([other]) else place
        if target in _named([other]) or source in all_defined([other]):
            return None
    return None


def _named(block: Iterable[gast.stmt]) -> frozenset[str]:
    block = list(block)
    return all_defined(block) | all_reads(block) | all_written(block)


def _with_copy(branch: gast.If, copy: gast.stmt) -> gast.If:
    """The branch with the copy in every arm that gives its source a value, as deep inside as that is certain."""
    def ended(arm: Block) -> Block:
        source = copy.value.id
        giving = [k for k, s in enumerate(arm) if source in all_defined([s])]
        match giving:
            case []:
                return arm
            case [place] if isinstance(inner := arm[place], gast.If) and not surely(source, inner):
                return [*arm[:place], _with_copy(inner, copy), *arm[place + 1:]]
        return [*arm, copy]
    return like(branch, body=ended(list(branch.body)), orelse=ended(list(branch.orelse)))
