"""What an index is made of, and the type of what it picks."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType
from transpiler.specialize.domain.abstraction import value_key
from transpiler.specialize.domain.bindings import Binding, Known, is_one_flag
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.ranges import Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.dims import Dim
from transpiler.values.indexing import DOTS, NEW, NUMBER, Cut, Entry, axes_taken, indexed
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown


class Indices(Component):
    """An index is a binding: known or run-time integers, None, Ellipsis, arrays, slices, tuples of these."""

    def settled_index(self, index: Binding) -> Binding:
        """The index with arrays in place of the lists in it, and integers where these are wanted."""
        match index:
            case Tuple(items):
                return Tuple(tuple(map(self._settled, items)))
            case Known(tuple() as values):
                return Tuple(tuple(self._settled(Known(value)) for value in values))
        return self._settled(index)

    def _settled(self, entry: Binding) -> Binding:
        match settled := self.ev.settled_entry(entry):
            case Slice():
                return self.ev.wholes.part(settled)
            case Known(float() | complex()) | Var(type=Scalar()) if not is_one_flag(settled):
                self.ev.joins.tell_flag(settled)
                return self.ev.wholes.place(settled)
        return settled

    def settled_entry(self, entry: Binding) -> Binding:
        match entry:
            case List(()) | Tuple(()) | Known([] | ()):
                return self.ev.operate_by_name('numpy.zeros', [], shape=0, dtype=np.dtype(np.int64))
            case List() | Tuple():
                return self.ev.operate_by_name('numpy.array', [entry])
            case DynamicList():
                return self.ev.placeholders.array_of(entry)
            case ArrayList((array,)):
                return array
            case Range(bounds):
                return self.ev.calls.call_object(np.arange, list(bounds), {})
            case Known(list() | tuple() | np.ndarray() as value):
                return self.ev.operands.constant_array(np.asarray(value))
            case Known(slice() as value):
                return Slice((Known(value.start), Known(value.stop), Known(value.step)))
        return entry

    def index_expression(self, index: Binding) -> gast.expr:
        match index:
            case Slice(items):
                lower, upper, step = (None if p == Known(None) else self.ev.operand(p)[0] for p in items)
                return gast.Slice(lower=lower, upper=upper, step=step)
            case Tuple(items):
                return gast.Tuple(elts=[self.index_expression(i) for i in items], ctx=gast.Load())
            case Known(None) | Known(bool()):
                return build.constant(index.value)
            case Known(value) if value is Ellipsis:
                return build.constant(value)
        return self.ev.operand(index)[0]

    def item_type(self, type_: Type, index: Binding) -> Type:
        """The type of `x[index]`."""
        if not isinstance(type_, Array) or type_.dims is None:
            return (
                type_.element
                if isinstance(type_, Tape)
                else Unknown()
                if not isinstance(type_, Array)
                else Array(type_.dtype, None)
            )
        parts = list(index.items) if isinstance(index, Tuple) else [index]
        if any(isinstance(part, Var) and isinstance(part.type, Unknown) for part in parts):
            return Unknown()
        entries: list[Entry] = []
        axis = 0
        for k, part in enumerate(parts):
            if isinstance(part, Known) and part.value is Ellipsis:
                behind = sum(self._axes_taken(later) for later in parts[k + 1 :])
                entries += [DOTS, *map(Cut, type_.dims[axis : type_.ndim - behind])]
                axis = type_.ndim - behind
                continue
            taken = self._axes_taken(part)
            if axis + taken > type_.ndim:
                raise TranspileError(f'too many indices for {type_}', self.origin)
            entries.append(self._entry(part, type_.dims[axis] if taken else None))
            axis += taken
        try:
            dims, equalities = indexed(entries, type_.dims[axis:])
        except ValueError as error:
            raise TranspileError('the arrays of an index do not fit each other', self.origin, why=str(error)) from error
        self.ev.sizes.equate(equalities)
        return Array(type_.dtype, dims) if dims != () or DOTS in entries else Scalar(type_.dtype)

    def _axes_taken(self, part: Binding) -> int:
        taken = axes_taken(self._entry(part, None))
        if taken is None:
            raise UnknownType('a mask of unknown rank is an index', self.origin, instead='annotate it, or give example arguments')
        return taken

    def _entry(self, part: Binding, dim: Dim | None) -> Entry:
        """What stands in an index, where the axis has the size `dim`."""
        match part:
            case Known(None):
                return NEW
            case Slice():
                return Cut(self._slice_dim(dim, part))
            case Var(_, Array(dtype)) if dtype.kind in 'iub':
                return self.ev.resolve(part.type)
            case Var(_, Scalar(dtype)) if dtype.kind in 'iu':
                return NUMBER
            case Known(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
                return NUMBER
        raise self.no_index(part)

    def no_index(self, part: Binding) -> TranspileError:
        if is_one_flag(part):
            return TranspileError(
                f'{self.ev.describe(part)} is part of an index, or says where to write', self.origin,
                why='NumPy takes one flag for a mask that adds an axis',
                instead='`if flag: x[...] = v` to write, `x[0][flag]` for `x[0, flag]`, `int(flag)` for an integer')
        return TranspileError(
            f'{self.ev.describe(part)} is no index',
            self.origin,
            why='an index is an integer, a slice, None, `...` or an array',
            instead='convert it with `int(...)`',
        )

    def _slice_dim(self, dim: Dim | None, entry: Slice) -> Dim | None:
        """The size of a slice: an affine expression of sizes, or a symbol that equal slices of equal sizes share."""
        lower, upper, step = entry.items
        if dim is None:
            return None
        if (lower, upper, step) == (Known(None), Known(None), Known(-1)):
            return dim
        start, stop = self._bound(lower, dim, Dim.of(0)), self._bound(upper, dim, dim)
        length, dim = None if start is None or stop is None else stop - start, dim.substitute(self.ev.sizes.equal)
        inside = length is not None and all(self._is_inside(end, dim)
                                            for end in (start, stop)) and self.ev.sizes.is_length(length)
        length = length and (length.substitute(self.ev.sizes.equal) if inside else self._perhaps_cut_off(dim, start, length))
        by = 1 if step == Known(None) else step.value if isinstance(step, Known) else 0
        if length is not None and by == 1 and (inside or length.is_constant or length.is_at_least(0)):
            return Dim.of(max(length.constant, 0)) if length.is_constant else length
        if length is not None and by > 0:
            if length.is_constant:
                return Dim.of(len(range(0, length.constant, by)))
            return Dim.found(f'{length!r} in steps of {by}', length.is_local, whole=length if by == 1 else None)
        return self._other_length(dim, lower, upper, step)

    def _perhaps_cut_off(self, dim: Dim, start: Dim, length: Dim) -> Dim | None:
        """The distance of two bounds that may lie beyond the axis, if the slice is as long, or empty should it be negative."""
        if dim.terms and not length.terms:  # `x[2:5]` and `x[-5:]` may be cut off
            inside = start.is_at_least(0) if start.terms else dim.is_at_least((start + length).constant)
            return length if inside else None
        if any(coefficient < 0 for _, coefficient in length.terms):  # so may `x[-5:1]`
            return None
        whole = dim.symbol_alone.whole if dim.symbol_alone is not None else None
        if whole is not None and (dim - length).is_constant:  # a slice of a slice
            return whole - (dim - length)
        return length

    def _other_length(self, dim: Dim, *bounds: Binding) -> Dim | None:
        """The symbol of a slice that depends on more than the distance of its bounds."""
        given = [bound != Known(None) for bound in bounds]
        parts = [self._number(bound) if there else Dim.of(0) for bound, there in zip(bounds, given, strict=True)]
        if None in parts:
            return None
        return Dim.found(f'slice {parts!r} {given} of {dim!r}', any(p.is_local for p in (*parts, dim)))

    def _number(self, part: Binding) -> Dim | None:
        """A bound as an expression of sizes, or of a number that stays the same as long as its name means the same."""
        size = self.ev.numbers.size_of(part)
        if size is None and isinstance(part, Var) and _is_integer(part.type) and part.name not in self.builder.changing:
            size = self.ev.sizes.value_of(part) or self.builder.found(value_key(part.name), signed=True)
            self.ev.operations.sized(part, size)
        return size

    def _bound(self, part: Binding, dim: Dim, default: Dim) -> Dim | None:
        """A bound, if it certainly lies within the axis; a number from the end, or beyond it, cuts off all of a slice at most."""
        match part:
            case Known(None):
                return default
            case Known(value) if isinstance(value, (int, np.integer)):
                if dim.is_constant:
                    return Dim.of(min(max(value + dim.constant if value < 0 else value, 0), dim.constant))
                return dim + int(value) if value < 0 else Dim.of(int(value))
            case Var():
                known = self.ev.numbers.size_of(part) or self.ev.sizes.value_of(part)
                return known if known is not None and known.terms and self._is_inside(known, dim) else None
        return None

    def _is_inside(self, bound: Dim, dim: Dim) -> bool:
        return bound == dim or self.ev.sizes.is_never_negative(bound) and self.ev.sizes.is_never_negative(dim - bound)


def _is_integer(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.dtype.kind in 'iu'
