"""How far a program may give up: another version of it runs then from the start, and nobody has noticed anything."""

from __future__ import annotations

import math
from collections.abc import Callable

import gast

from transpiler.analyses.dataflow.positions import Positions
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_noticed
from transpiler.core.language import Core
from transpiler.core.query import changed_by

Quiet = Callable[[gast.stmt], bool]


def never(statement: gast.stmt) -> bool:
    return False


def latest(core: Core) -> tuple[float, float]:
    """The number of the last statement before which a program may give up, and the same for its functions.

    A function may be called at any time.
    """
    silent = all(_first_noticed(one, with_writes=False) == math.inf for one in core.functions.values())
    own = _first_noticed(core) if silent else -1
    return own, math.inf if own == math.inf else -1


def quiet_until(core: Core, number: float) -> Quiet:
    """Whether a statement of `core` stands before the one of that number, or is it."""
    early = {id(at.statement) for at in Positions(core).all if at.number <= number}
    return lambda statement: id(statement) in early


def _first_noticed(core: Core, with_writes: bool = True) -> float:
    """The number of the statement of the body in which something happens that is seen outside, for the first time."""
    found, top = memory(core), 0
    for at in Positions(core).all:
        top = at.number if len(at.around) == 1 else top
        if is_noticed(at.statement) or with_writes and not all(map(found.is_local, changed_by(at.statement))):
            return top
    return math.inf
