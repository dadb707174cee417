"""Run-time helpers: which names are theirs, and what analyses know of a call of one.

`kernels.NAME`, such as `kernels.unbroadcast`, is a primitive of the language: transformations and rules make it, generated
Python imports it from `arrays`, and lowering has a form of it, as of any primitive. `kernels.ROOM.MODULE.NAME`, such as
`kernels.reductions.along_axes.sum_all`, is a helper of one target: lowered code alone has it, lowering gets its name from
the target (`lower/target/`), and of what it does analyses know what the target declares here.
"""
from __future__ import annotations

from collections import defaultdict
from enum import Enum


class Fact(Enum):
    """What may be said of a call of a helper. Nothing said: it computes a value and does nothing else."""

    FRESH = 'it gives new memory'
    PASSES_ON = 'it gives its first operand, changed in place'
    IN_C_ORDER = 'it gives an array in C order'
    WRITES = 'it writes into its first operand'
    IS_NOTICED = 'it is seen outside, as output is'
    COMPUTES = 'it computes numbers of numbers, raises nothing and touches no memory: any thread may call it'
    IS_CHEAP = 'it costs as much as an operator'
    IN_VECTORS = 'it is an elementary function that loops are vectorised with'
    SELECTS = 'it is `np.where`'
    BAILS_OUT = 'what raises it gives up: another version of the program runs'


_FACTS: defaultdict[str, set[Fact]] = defaultdict(set)


def declare(fact: Fact, *names: str) -> None:
    """Say something of helpers, by their names; `kernels.MODULE.*` are all of a module.

    >>> declare(Fact.IS_CHEAP, 'kernels.example.*')
    >>> holds_of('kernels.example.sum', Fact.IS_CHEAP), holds_of('kernels.example.sum', Fact.FRESH)
    (True, False)
    """
    for name in names:
        _FACTS[name].add(fact)


def holds_of(name: str, fact: Fact) -> bool:
    """Whether a target has declared that of a helper."""
    if not name.startswith('kernels.'):
        return False
    module = name.rpartition('.')[0]
    return fact in _FACTS.get(name, ()) or fact in _FACTS.get(f'{module}.*', ())


def declared_names() -> list[str]:
    """The names of which something is said."""
    return [*_FACTS]
