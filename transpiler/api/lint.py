"""`lint`: what is likely to surprise somebody who differentiates a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from rich.text import Text

from transpiler.analyses.lint import Finding, examine
from transpiler.analyses.lint.finding import refusal
from transpiler.api.calls.nested import only_outside
from transpiler.api.calls.specialization import specialise
from transpiler.api.calls.transformed import Transformed
from transpiler.arguments.asked import asked
from transpiler.errors import TranspileError
from transpiler.inspection import coloured
from transpiler.pipelines import generic
from transpiler.room import roomy
from transpiler.source.reading.capture import capture


class Findings(Sequence[Finding]):
    """The warnings, in the order of the lines; `notes` holds what is right as it stands but good to know."""

    def __init__(self, found: Iterable[Finding] = ()):
        self.all = tuple(found)
        self.warnings = tuple(f for f in self.all if f.level == 'warning')
        self.notes = tuple(f for f in self.all if f.level == 'note')

    def __len__(self) -> int:
        return len(self.warnings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...

    def __getitem__(self, index):
        return self.warnings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.warnings)

    def __str__(self) -> str:
        return '\n'.join(map(str, self.all)) or 'nothing to say'

    __repr__ = __str__

    def __rich__(self) -> Text:
        return Text('\n').join(coloured(str(finding), finding.level) for finding in self.all)


@asked
@roomy
def lint(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Findings:
    """What is likely to surprise somebody who differentiates `f`, for these arguments or for what its annotations say.

    Warnings tell of casts, roundings and comparisons that cut the derivative on its way to the result, of floats that are
    compared for equality, of parameters without influence, of integers where floats are differentiated, and of side
    effects; `.notes` of kinks and of writes into arguments. What the transpiler refuses is a warning as well.

    >>> def f(x):
    ...     return x * int(x)
    >>> [finding.kind for finding in lint(f, 2.5)]
    ['cut']
    """
    function = f.function if isinstance(f, Transformed) else f
    try:
        if args or kwargs:
            transformed: Transformed[..., Any] = Transformed(function)
            generated = specialise(transformed, *transformed.bound(args, kwargs)).generated
        else:
            generated = generic(capture(function), ())
    except TranspileError as error:
        return Findings([refusal(error)])
    return Findings(examine(generated.primal))


only_outside(lint)
