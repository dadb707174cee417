"""Guards: tests that lowered code makes at run time, which raise, or bail out, where a number is none that a type holds."""
from __future__ import annotations

from typing import TYPE_CHECKING

import gast
import numpy as np

from transpiler.analyses.numeric.ranges import ranges
from transpiler.core import build
from transpiler.lower.context.values import Value, holds
from transpiler.values.intervals import ANY, Interval, is_inside, of_dtype

if TYPE_CHECKING:
    from transpiler.lower.context.context import Context

LONG = -2**63, 2**63 - 1


class Guards:
    """The guards in front of the statement that `context` lowers."""

    def __init__(self, context: Context):
        self.context = context

    def require(self, wrong: gast.expr, error: str, message: str) -> None:
        """Raise what NumPy would raise if `wrong` holds at run time."""
        self.fail_if(wrong, build.call(f'python.{error}', build.constant(message)))

    def gives_up(self, wrong: gast.expr) -> bool:
        """Let another version of the program find out, if `wrong` holds, what to raise; that loops in threads may do, too.

        False where it is too late for that.
        """
        early = self.context.here is not None and self.context.quiet(self.context.here)
        if early:
            self.fail_if(wrong, build.name(self.context.target.checks.bail_out))
        return early

    def fail_if(self, wrong: gast.expr, error: gast.expr) -> None:
        with self.context.builder.nested() as failure:
            self.fail(error)
        self.context.builder.append(build.branch(wrong, failure, (), self.context.origin, self.context.builder.role))

    def fail(self, error: gast.expr) -> None:
        self.context.builder.append(build.fail(error, self.context.origin, self.context.builder.role))

    def integers(self, value: Value) -> Interval:
        """The integers that a number may be where the statement being lowered stands."""
        return ranges(self.context.core).of(value.node, self.context.here) or of_dtype(value.dtype) or ANY

    def within(self, value: Value, dtype: np.dtype) -> Value:
        """A Python integer behind a test of whether that dtype holds it: NumPy raises where it does not."""
        if holds(dtype, value.constant) or is_inside(self.integers(value), of_dtype(dtype)):
            return value
        alone = not self.context.is_conditional     # it may stand among Python's own
        if value.constant is not None and dtype == np.int64 and alone:
            raise self.context.refuse(f'{value.constant} does not fit into {dtype}', 'compiled code has no longer integers',
                              'make it a float')
        if value.constant is not None:
            self.require(build.constant(True), 'OverflowError', f'Python integer {value.constant} out of bounds for {dtype}')
            return Value(build.constant(0), value.type)
        value = self.context.named(value, 'number')
        self.refuse_outside(value, dtype)
        return value

    def index(self, value: Value) -> Value:
        """A number that is an index, a size or a bound: an unsigned one of 64 bits may be none."""
        if value.dtype == np.uint64 and value.is_scalar and not is_inside(self.integers(value), LONG):
            value = self.context.named(value, 'number')
            self.refuse_too_long(value)
        return self.context.cast(value, np.int64)

    def in_list(self, index: gast.expr) -> gast.expr:
        """An index into a list, which takes integers of every dtype."""
        value = self.context.value(index)
        return self.index(value).node if value.dtype == np.uint64 else index

    def refuse_too_long(self, value: Value) -> None:
        """Raise, or let another version of the program find out, if a named unsigned integer has more bits than C's integers."""
        too_long = build.compare(value.node, gast.Gt, build.call('numpy.uint64', LONG[1]))
        if not self.gives_up(too_long):
            self.require(too_long, 'OverflowError', 'Python int too large to convert to C long')

    def refuse_outside(self, value: Value, dtype: np.dtype) -> None:
        """Raise, or let another version of the program find out, if a named integer is none of that dtype."""
        (low, high), (least, most) = self.integers(value), of_dtype(dtype)
        asked = [build.compare(value.node, gast.Lt, least)] if low < least else []
        if high > most:     # Numba compares unsigned numbers of 64 bits with others as floats
            last = build.call('numpy.uint64', most) if value.dtype == np.uint64 else build.constant(most)
            asked.append(build.compare(value.node, gast.Gt, last))
        wrong = asked[0] if len(asked) == 1 else gast.BoolOp(op=gast.Or(), values=asked)
        if not self.gives_up(wrong):
            self.fail_if(wrong, self.out_of_bounds(dtype, value.node))

    def out_of_bounds(self, dtype: np.dtype, integer: gast.expr, shown: str = '') -> gast.expr:
        """What NumPy raises for an integer that a dtype does not hold."""
        said = (build.constant(part) for part in (
            'builtins:OverflowError', f'Python integer {{0{shown}}} out of bounds for {dtype}', '-'))
        return build.call(self.context.target.checks.failure, *said, integer)
