"""A component of the evaluator, which has them in place of classes that it would inherit from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transpiler.core.builder import Builder
from transpiler.errors import Origin

if TYPE_CHECKING:
    from transpiler.specialize.evaluator import Evaluator


@dataclass(eq=False)
class Component:
    """One concern of the evaluator, with the state that belongs to it; what others do it asks for through `ev`."""

    ev: Evaluator

    @property
    def builder(self) -> Builder:
        return self.ev.builder

    @property
    def origin(self) -> Origin | None:
        return self.ev.builder.origin

    @property
    def derives(self) -> bool:
        return self.ev.derives
