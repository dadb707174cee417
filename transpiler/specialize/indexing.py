"""Reading and writing elements and slices."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.errors import TranspileError, UnknownType
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.context import Frame
from transpiler.specialize.operations import Operations
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown


class Indexing(Operations):
    """An index is a binding: known or run-time integers, None, Ellipsis, arrays, `Container('slice')`, tuples of these."""

    def index(self, frame: Frame, node: gast.expr) -> Binding:
        match node:
            case gast.Slice(lower=lower, upper=upper, step=step):
                parts = [Known(None) if p is None else self.evaluate(frame, p) for p in (lower, upper, step)]
                return Container('slice', tuple(parts))
            case gast.Tuple(elts=elements):
                parts = [self._each(frame, [e]) if isinstance(e, gast.Starred) else (self.index(frame, e),) for e in elements]
                return Container('tuple', tuple(item for part in parts for item in part))
        return self.evaluate(frame, node)

    def get_item(self, base: Binding, index: Binding) -> Binding:
        match base:
            case Container('dict'):
                return self._dict_item(base, self.known(index, 'a dict key'))
            case Container(kind, items):
                return self._sequence_item(kind, items, index)
            case Var(name, Array() | Unknown() as type_):
                if isinstance(type_, Unknown) and isinstance(index, Known) and isinstance(index.value, str):
                    raise UnknownType(
                        f'`{name}` is used as a dict, but its type is not known',
                        self.origin,
                        instead='annotate the parameter, or give example arguments',
                    )
                return self.load(base, index)
            case Var(name, type_):
                raise TranspileError(f'{type_} cannot be indexed', self.origin)
            case Known(np.ndarray()):
                return self.load(self.constant_array(base.value), index)
            case Known(value) if isinstance(value, (tuple, list, dict, str)):
                return Known(value[self.known(index, 'an index into a constant')])
        raise TranspileError(f'{self.describe(base)} cannot be indexed', self.origin)

    def _dict_item(self, base: Container, key) -> Binding:
        if key not in base.keys:
            raise TranspileError(
                f'the dict has no key {key!r}', self.origin, why=f'its keys are {", ".join(map(repr, base.keys))}'
            )
        return base.item(key)

    def _sequence_item(self, kind: str, items: tuple, index: Binding) -> Binding:
        if isinstance(index, Container) and index.kind == 'slice':
            return Container(kind, items[slice(*(self.known(p, 'a slice of a sequence') for p in index.items))])
        position = self.known(index, 'an index into a tuple or list')
        if not isinstance(position, (int, np.integer)) or not -len(items) <= position < len(items):
            raise TranspileError(f'index {position!r} is out of range for a {kind} of {len(items)}', self.origin)
        return items[position]

    def load(self, base: Var, index: Binding) -> Var:
        """`base[index]` for an array."""
        type_ = self.item_type(self.resolve(base.type), index)
        hint = self.builder.hints[base.name].base if base.name in self.builder.hints else base.name
        return self.builder.define(
            f'{hint}_item' if type_.ndim == 0 else f'{hint}_part', build.subscript(base.name, self.index_expression(index)), type_
        )

    def store(self, base: Binding, index: Binding, value: Binding) -> None:
        """`base[index] = value` for an array; the value must be a number or an array."""
        base = self._writable(base)
        if isinstance(value, Container):
            value = self.operate_by_name('numpy.array', [value])
        atom, _ = self.operand(value)
        self.builder.assign(build.subscript(base.name, self.index_expression(index)), atom)

    def add_at(self, base: Binding, index: Binding, value: Binding) -> None:
        """`base[index] += value`."""
        base = self._writable(base)
        atom, _ = self.operand(value)
        self.builder.accumulate(build.subscript(base.name, self.index_expression(index)), atom)

    def _writable(self, base: Binding) -> Var:
        match base:
            case Var(_, Array() | Unknown()):
                return base
            case Container(kind):
                raise TranspileError(
                    f'a {kind} cannot be changed in place',
                    self.origin,
                    why='containers are taken apart when the code is generated',
                    instead='build a new one, or use an array',
                )
        raise TranspileError(f'{self.describe(base)} cannot be written to', self.origin)

    def index_expression(self, index: Binding) -> gast.expr:
        match index:
            case Container('slice', items):
                lower, upper, step = (None if p == Known(None) else self.operand(p)[0] for p in items)
                return gast.Slice(lower=lower, upper=upper, step=step)
            case Container('tuple', items):
                return gast.Tuple(elts=[self.index_expression(i) for i in items], ctx=gast.Load())
            case Container('list'):
                return build.name(self.operate_by_name('numpy.array', [index]).name)
            case Known(None) | Known(bool()):
                return build.constant(index.value)
            case Known(value) if value is Ellipsis:
                return build.constant(value)
        return self.operand(index)[0]

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
        entries = list(index.items) if isinstance(index, Container) and index.kind == 'tuple' else [index]
        entries = self._expand_ellipsis(entries, type_.ndim)
        dims, axis, gathers = [], 0, []
        for entry in entries:
            if isinstance(entry, Known) and entry.value is None:
                dims.append(Dim.of(1))
                continue
            if axis >= type_.ndim:
                raise TranspileError(f'too many indices for {type_}', self.origin)
            dim = type_.dims[axis]
            if isinstance(entry, Container) and entry.kind == 'slice':
                dims.append(self._slice_dim(dim, entry))
                axis += 1
                continue
            gathered = self._gather(entry)
            if gathered is not None:
                gathers.append((len(dims), gathered))
                axis += gathered.ndim if gathered.dtype == np.bool_ else 1
                continue
            axis += 1
        dims += type_.dims[axis:]
        if gathers:
            return self._gathered_type(type_, dims, gathers, entries)
        return Array(type_.dtype, tuple(dims)) if dims else Scalar(type_.dtype)

    def _expand_ellipsis(self, entries: list, rank: int) -> list:
        places = [k for k, e in enumerate(entries) if isinstance(e, Known) and e.value is Ellipsis]
        if not places:
            return entries
        taken = sum(1 for e in entries if not (isinstance(e, Known) and (e.value is None or e.value is Ellipsis)))
        full = Container('slice', (Known(None),) * 3)
        return entries[: places[0]] + [full] * (rank - taken) + entries[places[0] + 1 :]

    def _gather(self, entry: Binding) -> Array | None:
        """The array type of an integer or boolean array index; None for a plain integer."""
        match entry:
            case Var(_, Array() as type_):
                return type_
            case Var(_, Scalar(dtype)) if dtype.kind in 'iu':
                return None
            case Container('list', items):
                return Array(np.dtype(np.int64), (Dim.of(len(items)),))
            case Known(np.ndarray() as value):
                return Array(value.dtype, tuple(map(Dim.of, value.shape)))
            case Known(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
                return None
        raise TranspileError(
            f'{self.describe(entry)} is no index',
            self.origin,
            why='an index is an integer, a slice, None, `...` or an array',
            instead='convert it with `int(...)`',
        )

    def _gathered_type(self, type_: Array, dims: list, gathers: list, entries: list) -> Type:
        place, first = gathers[0]
        if any(g.dtype == np.bool_ for _, g in gathers):
            picked: tuple = (None,)
        elif any(g.dims is None for _, g in gathers):
            return Array(type_.dtype, None)
        else:
            picked = max((g.dims for _, g in gathers), key=len)
            same = all(g.dims == first.dims for _, g in gathers)
            picked = picked if same else (None,) * len(picked)
        if len({p for p, _ in gathers}) > 1 or (len(gathers) < len(entries) and any(self._is_plain_integer(e) for e in entries)):
            place = 0 if len({p for p, _ in gathers}) > 1 else place
        return Array(type_.dtype, tuple(dims[:place]) + tuple(picked) + tuple(dims[place:]))

    def _is_plain_integer(self, entry: Binding) -> bool:
        return isinstance(entry, Known) and isinstance(entry.value, int)

    def _slice_dim(self, dim: Dim | None, entry: Container) -> Dim | None:
        """The size of a slice where it is an affine expression of sizes; None if not."""
        lower, upper, step = entry.items
        if dim is None:
            return None
        if step != Known(None) and step != Known(1):
            return dim if (lower, upper, step) == (Known(None), Known(None), Known(-1)) else None
        start, stop = self._bound(lower, dim, Dim.of(0)), self._bound(upper, dim, dim)
        if start is None or stop is None:
            return None
        size = stop - start
        if size.is_constant and not dim.is_constant:
            one = size.is_one and dim.is_large
            return size if one or size.constant == 0 else None
        return Dim.of(max(size.constant, 0)) if size.is_constant else size

    def _bound(self, part: Binding, dim: Dim, default: Dim) -> Dim | None:
        match part:
            case Known(None):
                return default
            case Known(value) if isinstance(value, (int, np.integer)):
                if dim.is_constant:
                    return Dim.of(min(max(value + dim.constant if value < 0 else value, 0), dim.constant))
                return dim + int(value) if value < 0 else Dim.of(int(value))
            case Var(_, Scalar(size=Dim())):
                known = self.resolve(part.type).size
                within = dim - known  # a bound beyond the end would be cut off
                return known if known.terms and within.is_constant and within.constant >= 0 else None
        return None
