"""A program in two halves: one for the arguments, run once, and one for what comes later, run as often as one likes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Signature
from types import SimpleNamespace
from typing import Any

from transpiler.api.calls.opened import opened
from transpiler.api.calls.specialization import Specialisation
from transpiler.api.calls.transformed import Transformed
from transpiler.backends.options import Options
from transpiler.core.language import Core
from transpiler.pipelines import Generated, in_halves
from transpiler.source.reading.capture import Function
from transpiler.specialize.annotations import Arguments
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluator import Evaluator
from transpiler.transforms.steps import Step


@dataclass(frozen=True)
class Title(Step):
    """Names the second half of a program in its header."""

    title: str

    def apply(self, core: Core) -> Core:
        return core


Finish = Callable[[Generated, Step], Generated]


def as_they_are(halves: Generated, step: Step) -> Generated:
    return halves


class Halved(Transformed):
    """A transformed function of whose parameters the last ones come later: a call runs the first half of the program.

    finish: what is made of the two halves in the end
    """

    def __init__(
        self, function: Callable, transforms: tuple[Step, ...], titles: tuple[str, str], compiled: Options | None = None,
        finish: Finish = as_they_are, **statics,
    ):
        super().__init__(function, transforms, compiled, **statics)
        self.titles, self.finish = titles, finish

    def _read(self) -> None:
        super()._read()
        before = self.signatures[-2]
        self.late = [name for name in self.__signature__.parameters if name not in before.parameters]
        self.__signature__ = before

    def generated(self, function: Function, steps: Sequence[Step], arguments: Arguments, presuming: bool) -> Generated:
        generated = super().generated(function, steps[:-1], arguments, presuming)
        name, (begins, ends) = generated.primal.name, self.titles
        halves = in_halves(generated, steps[-1], self.late, (f'{name}_{begins}', f'{name}_{ends}'), given=(0, 2))
        return self.finish(halves, steps[-1])

    def begin(self, args: Sequence[Any]) -> tuple[Any, Specialisation, Sequence[Any]]:
        """Run the first half: its results, its specialisation, and what it hands over."""
        first, values = self._find(args, {})
        results, handed = first.run(values)
        return results, first, handed

    def second(self, first: Specialisation) -> Specialisation:
        """The second half of a specialisation."""
        if first.second is None:
            title = (Title(self.titles[1]),)
            first.second = Specialisation(first.function, first.generated.rest, title, self.compiled, (), ())
        return first.second


class Linear:
    """A linear function: what is left of a function at one point, for the tangents or cotangents that come later.

    It may itself be transformed (`vmap`, `jit`, `grad`), and called in functions that are.

    .source: the generated Python of it; .primal_source: that of what was run already
    """

    __transpiler_opened__ = True    # there is no text of it, but where it is called its program can be written down

    def __init__(self, halved: Halved, first: Specialisation, handed: Sequence[Any], signature: Signature, *late: Any):
        self._first, self._late, self.__signature__ = first, late, signature
        self._second = halved.second(first)
        core = self._second.generated.core
        self.__name__ = core.name
        *names, self._last = (param.name for param in core.params)
        self._kept = SimpleNamespace(**dict(zip(names, (*handed, *late)[: len(names)], strict=True)))

    def at(self, late: Any) -> Any:
        """The result for what comes later, which fits the program."""
        return self._second.run({**vars(self._kept), self._last: late})

    def opened(self, ev: Evaluator, late: Binding) -> Binding:
        """The same inside a function that is transformed."""
        return opened(ev, self._second.generated.core, self._kept, late, self._late[-1])

    @property
    def source(self) -> str:
        """The generated Python."""
        return self._second.source.text

    @property
    def primal_source(self) -> str:
        """The generated Python of what was run already."""
        return self._first.source.text

    def __copy__(self) -> 'Linear':
        return self     # nothing in it changes

    def __deepcopy__(self, memo: Any) -> 'Linear':
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f'cannot pickle `{self.__name__}`, which holds what was computed at one point: send what it gives')

    def __repr__(self) -> str:
        return f'<{self.__name__}>'
