"""Functions of a program in forward mode: each becomes one that takes tangents and gives tangents, `f_jvp`."""

from __future__ import annotations

from dataclasses import dataclass, field

from transpiler.analyses.activity import moving_names
from transpiler.core.language import Core
from transpiler.core.naming import unique
from transpiler.optimize.surface.naming import name_temporaries
from transpiler.transforms.shared.function_activity import Explored


@dataclass(frozen=True)
class Twin:
    """The name of `f_jvp`, and the positions of the parameters and results of `f` whose tangents it takes and gives too."""

    name: str
    inputs: tuple[int, ...]
    results: tuple[int, ...]


@dataclass
class Twins(Explored):
    """The functions of a program while its tangents are written; `names` are what those asked for become."""

    names: dict[str, str] = field(default_factory=dict)

    def twin(self, name: str) -> Twin:
        """The twin of a function that somebody asks for."""
        if name not in self.names:
            self.names[name] = unique(f'{name}_jvp', self.functions)
        inputs, given = self.positions(name)
        return Twin(self.names[name], tuple(inputs), tuple(given))

    def prepare(self, core: Core) -> Core:
        return name_temporaries(core)

    def moving(self, core: Core, inputs: list[str], outputs: set[str]) -> frozenset[str]:
        return moving_names(core, inputs, outputs)
