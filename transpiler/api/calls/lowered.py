"""What is generated for given arguments, to look at: `grad(f).lower(x)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transpiler.api.calls.specialization import Specialisation
from transpiler.backends.signatures import stand_in
from transpiler.inspection import side_by_side, side_by_side_html


@dataclass(frozen=True, eq=False)
class Lowered:
    """What is generated for given arguments, to look at.

    leaves: others of the types of the numbers and arrays among them; none if it is only for looking at
    """

    transformed: Any
    specialisation: Specialisation
    leaves: Sequence[Any] = ()

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
        """Compile what calls with such arguments run; what is being compiled in the background is waited for.

        The result takes the run-time leaves of the arguments, in any sizes: the same program with every index checked, which is
        compiled when it is called.
        """
        self.specialisation.prepare(self.leaves)
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


def lowered(transformed: Any, made: Specialisation, values: Mapping[str, Any]) -> Lowered:
    """What was generated for arguments by name, which it does not keep alive."""
    return Lowered(transformed, made, list(map(stand_in, made.flat(values))))
