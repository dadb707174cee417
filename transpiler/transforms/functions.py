"""Functions of a program in reverse: each becomes one that runs forward and keeps values, and one that runs backward.

`f_fwd` gives what `f` gives, and pushes on tapes what `f_bwd` will pop. `f_bwd` takes the arguments of `f`, the cotangents of
its results, and for each array or tape among the arguments its cotangent as memory to change in place: on entry it is the
cotangent of that memory after the call, on exit of that before it. It gives the cotangents of the numbers. The tapes are
made by whoever calls first; all activations share them, the last one in is the first one out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.activity import active_names
from transpiler.analyses.summaries import as_own, results
from transpiler.core.language import Core
from transpiler.core.query import all_written, call_of, callee, names, walk
from transpiler.optimize.naming import name_temporaries
from transpiler.source.names import unique
from transpiler.transforms.views import take_views_anew
from transpiler.values.types import Scalar, Type


@dataclass(frozen=True)
class Pair:
    """What a function becomes: two names, and the positions of the results and parameters that have cotangents.

    Those of `memory` (arrays and tapes) are changed in place, those of `numbers` are given, with these `types`.
    """

    forward: str
    backward: str
    results: tuple[int, ...]
    memory: tuple[int, ...]
    numbers: tuple[int, ...]
    types: tuple[Type, ...]


@dataclass
class Split:
    """The functions of a program while it is differentiated.

    varied: the positions of parameters that some call gives active values
    names:  what the functions asked for become
    tapes:  the tapes that they share, with their types
    """

    functions: Mapping[str, Core]
    varied: dict[str, frozenset[int]] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    tapes: dict[str, Type] = field(default_factory=dict)
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

    def pair(self, name: str) -> Pair:
        """The pair of a function that somebody asks for."""
        if name not in self.names:
            self.names[name] = unique(f'{name}_fwd', self.functions), unique(f'{name}_bwd', self.functions)
        core, active = self.prepared(name), self.active(name)
        given = [k for k, part in enumerate(results(core)) if isinstance(part, gast.Name) and part.id in active]
        inputs = [k for k, leaf in enumerate(core.inputs) if leaf in active]
        numbers = [k for k in inputs if isinstance(core.types[core.inputs[k]], Scalar)]
        types = [core.types[core.inputs[k]] for k in numbers]
        return Pair(*self.names[name], tuple(given), tuple(k for k in inputs if k not in numbers), tuple(numbers), tuple(types))

    def prepared(self, name: str) -> Core:
        """A function as it is differentiated."""
        if name not in self.known:
            self.known[name] = name_temporaries(take_views_anew(as_own(self.functions[name])))
        return self.known[name]

    def active(self, name: str) -> frozenset[str]:
        """The names with cotangents in a function; what its caller sees are its results and the memory that it writes."""
        core = self.prepared(name)
        given = [core.inputs[k] for k in sorted(self.varied[name])]
        seen = {n for part in results(core) for n in names(part)}
        return active_names(core, given, seen | all_written(core.body))
