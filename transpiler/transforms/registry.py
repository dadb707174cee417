"""The transformations by name, and what each is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature

from transpiler.core.language import Core
from transpiler.errors import NotDifferentiable
from transpiler.source.names import unique
from transpiler.transforms.marks import checkpointed_whole
from transpiler.transforms.reverse import gradient, pullback


class Step:
    """What transformations have in common: `title` for headers, `apply` for programs, `signature` for their callers."""

    title: str

    def apply(self, core: Core) -> Core:
        raise NotImplementedError

    def signature(self, before: Signature) -> Signature:
        """The signature of the transformed function."""
        return before


@dataclass(frozen=True)
class Checkpoint(Step):
    """`checkpoint`: the program as the one turn of a loop with snapshots."""

    title = 'checkpoint'

    def apply(self, core: Core) -> Core:
        return checkpointed_whole(core)


@dataclass(frozen=True)
class Grad(Step):
    """`grad`, or `value_and_grad` if `value`, with respect to `argnums` (an int gives one gradient, a tuple gives a tuple)."""

    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    value: bool = False

    @property
    def title(self) -> str:
        return 'value and grad' if self.value else 'grad'

    def apply(self, core: Core) -> Core:
        numbers, single = positions(core, self.argnums), isinstance(self.argnums, int)
        return gradient(core, numbers, single=single, value=self.value, has_aux=self.has_aux)


@dataclass(frozen=True)
class Vjp(Step):
    """The vector-Jacobian product as one program: a further parameter takes the cotangent of the output.

    It gives `(output, cotangents)`, or `(output, cotangents, aux)`.
    """

    argnums: tuple[int, ...] = (0,)
    has_aux: bool = False
    title = 'vjp'

    def apply(self, core: Core) -> Core:
        name = unique('out_bar', {param.name for param in core.params})
        return pullback(core, positions(core, self.argnums), name, has_aux=self.has_aux)

    def signature(self, before: Signature) -> Signature:
        return with_parameters(before, [unique('out_bar', before.parameters)])


def positions(core: Core, argnums: int | tuple[int, ...]) -> list[int]:
    """The positional parameters meant by `argnums`; negative ones count from the end."""
    count = sum(param.kind == 'positional' for param in core.params)
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for number in numbers:
        if not -count <= number < count:
            raise NotDifferentiable(f'argnums={argnums!r}, but `{core.name}` has {count} positional parameters', core.origin)
    return [number % count for number in numbers]


def with_parameters(before: Signature, names: Sequence[str]) -> Signature:
    """Further parameters, given by keyword where positional ones may be left out or be any number."""
    own = list(before.parameters.values())
    loose = any(p.kind is Parameter.VAR_POSITIONAL or p.default is not Parameter.empty for p in own)
    kind = Parameter.KEYWORD_ONLY if loose else Parameter.POSITIONAL_OR_KEYWORD
    first = [p for p in own if p.kind <= kind]
    return before.replace(parameters=[*first, *(Parameter(name, kind) for name in names), *own[len(first) :]])
