"""What a program under construction knows: its variables with their shapes, the source of chance, fresh names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Variable:
    """A name (or an expression such as `p['w']`) that can be read.

    kind: 'float', 'int', or 'indices': an array of integers; low and high bound an int, if they are known;
    readonly: it cannot be assigned
    """

    text: str
    kind: str = 'float'
    shape: Shape = ()
    low: int | None = None
    high: int | None = None
    readonly: bool = False


@dataclass
class Scope:
    """The variables that surely have a value here, the functions that can be called, and where we are.

    helpers give a value, procedures only write into their first argument, those of higher order take a function
    """

    chance: Random
    sizes: tuple[int, int]
    variables: dict[str, Variable] = field(default_factory=dict)
    helpers: dict[str, tuple[tuple[Shape, ...], Shape]] = field(default_factory=dict)
    procedures: dict[str, tuple[Shape, ...]] = field(default_factory=dict)
    higher: list[str] = field(default_factory=list)
    loops: int = 0
    branches: int = 0
    may_continue: bool = False
    counter: list[int] = field(default_factory=lambda: [0])

    def inner(self, **changes: Any) -> 'Scope':
        """The scope of a branch or a loop's body: what is bound inside does not leak."""
        return replace(self, **{'variables': dict(self.variables), 'helpers': dict(self.helpers), **changes})

    def fresh(self, base: str) -> str:
        self.counter[0] += 1
        return f'{base}{self.counter[0]}'

    def bind(self, variable: Variable) -> None:
        self.variables[variable.text] = variable

    def happens(self, probability: float) -> bool:
        return self.chance.random() < probability

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.chance.randrange(len(options))]

    def weighted(self, options: Sequence[tuple[float, Callable[[], Any]]]) -> Any:
        """Call one of the functions, chosen by weight; one that gives None did not apply."""
        options = list(options)
        while options:
            chosen = self.chance.choices(range(len(options)), [weight for weight, _ in options])[0]
            result = options.pop(chosen)[1]()
            if result is not None:
                return result
        return None

    def find(self, kind: str = 'float', accept: Callable[[Variable], bool] = lambda variable: True) -> Variable | None:
        """Some variable of that kind; those bound last are likelier."""
        found = [v for v in self.variables.values() if v.kind == kind and accept(v)]
        if not found:
            return None
        return found[max(self.chance.randrange(len(found)), self.chance.randrange(len(found)))]

    @property
    def shapes(self) -> list[Shape]:
        n, m = self.sizes
        return [(), (n,), (n,), (m,), (n, m), (n, m), (m, n), (1,), (n, 1), (1, m)]
