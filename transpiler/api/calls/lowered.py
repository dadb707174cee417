"""What is generated for given arguments, to look at: `grad(f).lower(x)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from transpiler.api.calls.specialization import Specialisation
from transpiler.inspection import side_by_side, side_by_side_html


@dataclass(frozen=True, eq=False)
class Lowered:
    """What is generated for given arguments, to look at."""

    transformed: Any
    specialisation: Specialisation

    @property
    def source(self) -> str:
        """The generated Python."""
        return self.specialisation.source.text

    @property
    def loops(self) -> str:
        """What Numba gets: explicit dtypes, one parameter per number and array."""
        return self.specialisation.loops.text

    @property
    def primal_source(self) -> str:
        """The user's function as it is written."""
        return self.specialisation.function.text

    @property
    def line_map(self) -> dict[int, int]:
        """Lines of `source` (from 1) -> lines of the user's file."""
        own = self.specialisation.function.file
        return {line: origin.line for line, origin in self.specialisation.source.line_map.items() if origin.file == own}

    def compile(self) -> Callable[..., Any]:
        """The function compiled by Numba, with every index checked, on the run-time leaves of the arguments."""
        return self.specialisation.compiled_function

    def __copy__(self) -> Lowered:
        return self     # nothing in it changes

    def __deepcopy__(self, memo: Any) -> Lowered:
        return self

    def __reduce__(self) -> Any:
        name = self.transformed.__name__
        raise TypeError(f'cannot pickle what is generated for `{name}`: send its `.source`, or the transformed function')

    def __str__(self) -> str:
        return self.source

    def __rich__(self):
        function, line_map = self.specialisation.function, self.specialisation.source.line_map
        return side_by_side(self.primal_source, self.source, line_map, function.node.lineno, file=function.file)

    def _repr_html_(self) -> str:
        function, line_map = self.specialisation.function, self.specialisation.source.line_map
        return side_by_side_html(self.primal_source, self.source, line_map, function.node.lineno, file=function.file)
