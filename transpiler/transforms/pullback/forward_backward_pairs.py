"""Functions of a program in reverse: each becomes one that runs forward and keeps values, and one that runs backward.

`f_fwd` gives what `f` gives, and pushes on tapes what `f_bwd` will pop. `f_bwd` takes the arguments of `f`, the cotangents of
its results, and for each array or tape among the arguments its cotangent as memory to change in place: on entry it is the
cotangent of that memory after the call, on exit of that before it. It gives the cotangents of the numbers. The tapes are
made by whoever calls first; all activations share them, the last one in is the first one out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from transpiler.analyses.activity import active_names
from transpiler.analyses.memory.call_effects import as_own
from transpiler.core.language import Core
from transpiler.core.naming import unique
from transpiler.optimize.surface.naming import name_temporaries
from transpiler.transforms.pullback.lists import with_lengths
from transpiler.transforms.shared.fresh_views import take_views_anew
from transpiler.transforms.shared.function_activity import Explored
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
class Split(Explored):
    """The functions of a program while it is differentiated.

    names: what the functions asked for become; tapes: the tapes that they share, with their types
    """

    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    tapes: dict[str, Type] = field(default_factory=dict)

    def pair(self, name: str) -> Pair:
        """The pair of a function that somebody asks for."""
        if name not in self.names:
            self.names[name] = unique(f'{name}_fwd', self.functions), unique(f'{name}_bwd', self.functions)
        core, (inputs, given) = self.prepared(name), self.positions(name)
        numbers = [k for k in inputs if isinstance(core.types[core.inputs[k]], Scalar)]
        types = [core.types[core.inputs[k]] for k in numbers]
        return Pair(*self.names[name], tuple(given), tuple(k for k in inputs if k not in numbers), tuple(numbers), tuple(types))

    def prepare(self, core: Core) -> Core:
        return name_temporaries(take_views_anew(as_own(with_lengths(core))))

    def moving(self, core: Core, inputs: list[str], outputs: set[str]) -> frozenset[str]:
        return active_names(core, inputs, outputs)
