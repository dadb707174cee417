"""The functions of a program while it is differentiated: which of their parameters vary, and which names move in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.memory.call_effects import results
from transpiler.core.language import Core
from transpiler.core.query import all_written, call_of, callee, names


@dataclass
class Explored(ABC):
    """What both modes must know of functions before they write derivatives of them.

    varied: the positions of parameters that some call gives active values
    """

    functions: Mapping[str, Core]
    varied: dict[str, frozenset[int]] = field(default_factory=dict)
    known: dict[str, Core] = field(default_factory=dict)

    @abstractmethod
    def prepare(self, core: Core) -> Core:
        """A function as it is differentiated."""

    @abstractmethod
    def moving(self, core: Core, inputs: list[str], outputs: set[str]) -> frozenset[str]:
        """The names of a function that have derivatives, by its inputs and for its outputs."""

    def explore(self, core: Core, active: frozenset[str]) -> None:
        """Find which functions are given active values, and where, by the calls in `core` and in these functions."""
        for call in filter(None, map(call_of, core.statements)):
            name = str(callee(call))
            if self.functions[name].rule is not None:
                continue
            varied = frozenset(k for k, a in enumerate(call.args) if isinstance(a, gast.Name) and a.id in active)
            known = self.varied.get(name)
            if known is None or varied - known:
                self.varied[name] = varied | (known or frozenset())
                self.explore(self.prepared(name), self.active(name))

    def prepared(self, name: str) -> Core:
        if name not in self.known:
            self.known[name] = self.prepare(self.functions[name])
        return self.known[name]

    def active(self, name: str) -> frozenset[str]:
        """The names with derivatives in a function; what its caller sees are its results and the memory that it writes."""
        core = self.prepared(name)
        given = [core.inputs[k] for k in sorted(self.varied[name])]
        seen = {n for part in results(core) for n in names(part)}
        return self.moving(core, given, seen | all_written(core.body))

    def positions(self, name: str) -> tuple[list[int], list[int]]:
        """The parameters of a function that have derivatives, and its results that do."""
        core, active = self.prepared(name), self.active(name)
        given = [k for k, part in enumerate(results(core)) if isinstance(part, gast.Name) and part.id in active]
        return [k for k, leaf in enumerate(core.inputs) if leaf in active], given
