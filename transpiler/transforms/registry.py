"""The transformations by name, and what each is told."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.core.language import Core
from transpiler.errors import NotDifferentiable
from transpiler.transforms.marks import checkpointed_whole
from transpiler.transforms.reverse import reverse


@dataclass(frozen=True)
class Checkpoint:
    """`checkpoint`: the program as the one turn of a loop with snapshots."""

    title = 'checkpoint'

    def apply(self, core: Core) -> Core:
        return checkpointed_whole(core)


@dataclass(frozen=True)
class Grad:
    """`grad`, or `value_and_grad` if `value`, with respect to `argnums` (an int gives one gradient, a tuple gives a tuple)."""

    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    value: bool = False

    @property
    def title(self) -> str:
        return 'value and grad' if self.value else 'grad'

    def apply(self, core: Core) -> Core:
        count = sum(param.kind == 'positional' for param in core.params)
        numbers = (self.argnums,) if isinstance(self.argnums, int) else tuple(self.argnums)
        for number in numbers:
            if not -count <= number < count:
                raise NotDifferentiable(
                    f'argnums={self.argnums!r}, but `{core.name}` has {count} positional parameters', core.origin
                )
        return reverse(
            core, [n % count for n in numbers], single=isinstance(self.argnums, int), value=self.value, has_aux=self.has_aux
        )


Transform = Grad | Checkpoint
