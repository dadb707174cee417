"""Functions of a program in forward mode: each becomes one that takes tangents and gives tangents, `f_jvp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.activity import moving_names
from transpiler.analyses.summaries import results
from transpiler.core.language import Core
from transpiler.core.query import all_written, call_of, callee, names, walk
from transpiler.optimize.naming import name_temporaries
from transpiler.source.names import unique


@dataclass(frozen=True)
class Twin:
    """The name of `f_jvp`, and the positions of the parameters and results of `f` whose tangents it takes and gives too."""

    name: str
    inputs: tuple[int, ...]
    results: tuple[int, ...]


@dataclass
class Twins:
    """The functions of a program while its tangents are written.

    varied: the positions of parameters that some call gives active values
    names:  what the functions asked for become
    """

    functions: Mapping[str, Core]
    varied: dict[str, frozenset[int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    known: dict[str, Core] = field(default_factory=dict)

    def explore(self, core: Core, active: frozenset[str]) -> None:
        """Find which functions are given active values, and where, by the calls in `core` and in these functions."""
        for call in filter(None, map(call_of, walk(core.body))):
            name = str(callee(call))
            if self.functions[name].rule is not None:
                continue
            varied = frozenset(k for k, a in enumerate(call.args) if isinstance(a, gast.Name) and a.id in active)
            known = self.varied.get(name)
            if known is None or varied - known:
                self.varied[name] = varied | (known or frozenset())
                self.explore(self.prepared(name), self.active(name))

    def twin(self, name: str) -> Twin:
        """The twin of a function that somebody asks for."""
        if name not in self.names:
            self.names[name] = unique(f'{name}_jvp', self.functions)
        core, active = self.prepared(name), self.active(name)
        given = [k for k, part in enumerate(results(core)) if isinstance(part, gast.Name) and part.id in active]
        return Twin(self.names[name], tuple(k for k, leaf in enumerate(core.inputs) if leaf in active), tuple(given))

    def prepared(self, name: str) -> Core:
        if name not in self.known:
            self.known[name] = name_temporaries(self.functions[name])
        return self.known[name]

    def active(self, name: str) -> frozenset[str]:
        """The names with tangents in a function; what its caller sees are its results and the memory that it writes."""
        core = self.prepared(name)
        given = [core.inputs[k] for k in sorted(self.varied[name])]
        return moving_names(core, given, {n for part in results(core) for n in names(part)} | all_written(core.body))
