"""What is known of a loop while its body is tried out."""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from transpiler.core.variables import Var
from transpiler.specialize.control.loop_state import Place
from transpiler.specialize.domain.bindings import Binding, Known, Maybe, Unbound
from transpiler.values.types import Type

Types = dict[Place, list[Type | None]]
BOUND = '_bound!'
STAYS = Known(False)


@dataclass(frozen=True)
class Growth:
    """What a loop may do about lists: let those that change their length grow at run time, or those that it indexes.

    peels: how many of its iterations may be written before it; None if it is to carry different things
    """

    may_grow: bool = True
    may_index: bool = True
    peels: int | None = None


@dataclass
class Iteration:
    """One trial of a loop's body: the names and cells it carries and the types their leaves have at its start.

    markers: names without a value before the loop, which some iteration may give one
    maybe: names that may have no value at the start of some iteration; a flag, carried as `presence(name)`, tells
    rebuilt: places that refer to other containers at the end of an iteration than at its start; they are carried by value
    shared: those of them that something else may refer to, so that nobody may change what they hold
    held: what places hold at the start of an iteration and after the loop, where that is not what is carried
    peels: how many iterations may be written before the loop, should they change what these are; None if that is to stay so
    may_change: the names that an iteration may change, besides cells
    leave: whether the loop is left after this iteration
    """

    before: dict[Place, Binding]
    types: Types
    markers: dict[str, Unbound]
    maybe: frozenset[str]
    rebuilt: frozenset[Place] = frozenset()
    shared: frozenset[Place] = frozenset()
    peels: int | None = None
    may_change: frozenset[Place] = frozenset()
    body: list[gast.stmt] = field(default_factory=list)
    carried: dict[Place, Binding] = field(default_factory=dict)
    held: dict[Place, Binding] = field(default_factory=dict)
    after: dict[Place, Binding] = field(default_factory=dict)
    leave: Binding = STAYS
    test: gast.expr | None = None
    node: gast.stmt | None = None

    def start(self, place: Place) -> Binding:
        return self.held.get(place, self.before[place])

    def names(self) -> dict[Place, Binding]:
        """What the names stand for, and what the cells hold, at the start of an iteration, and after the loop."""
        places = {p: b for p, b in {**self.before, **self.held}.items() if isinstance(p, int) or not p.endswith(BOUND)}
        for name in self.maybe:
            flag = self.start(presence(name))
            reads = frozenset({flag.name}) if isinstance(flag, Var) else frozenset()
            places[name] = Maybe(self.start(name), lambda ev, flag=flag: flag, reads, safe=True)
        return places


def presence(name: str) -> str:
    """The flag that tells whether `name` has a value."""
    return f'{name}{BOUND}'
