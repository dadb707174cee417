"""Over which places an operation goes, and how its operands follow them, as NumPy broadcasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import gast

from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.lower.fusion.accesses import At, Known, Place, Size
from transpiler.lower.fusion.sizes import ONE, Agreement, can_be_spelled, cut, of_shape, settled, size
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar

Domain = tuple[Size, ...]
_KINDS = {'f': (4, 8), 'c': (8, 16), 'i': (8,), 'b': (1,)}  # of these numbers alone compute as arrays of them do


@dataclass(frozen=True)
class Use:
    """An operand: a number, or an array.

    axes: for each axis of an array the axis of the domain that it follows, None for one of size 1
    place: where its elements lie
    """

    node: gast.expr
    axes: tuple[int | None, ...] = ()
    place: Place | None = None

    @property
    def name(self) -> str | None:
        """The array as the statement calls it."""
        return None if self.place is None else self.node.id

    @property
    def names(self) -> set[str]:
        """What it takes to read it."""
        own = {self.node.id} if isinstance(self.node, gast.Name) else set()
        return own if self.place is None else {*own, self.place[0], *(n for at in self.place[1] for n in at.names)}


@dataclass
class Joint:
    """Operands that are broadcast together; `agreements` are what must hold for that."""

    known: Known
    domain: list[Size] = field(default_factory=list)
    dims: list[Dim | None] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    agreements: list[Agreement] = field(default_factory=list)

    def align(self, axis: int, array: str, own: int) -> int | None:
        """The axis of the domain that an axis of an array follows; none if it is spread."""
        named, whole = size(self.known, array, own), settled(self.known, self.domain[axis])
        if named == ONE or _is_one(self.known.core, array, own):
            return axis if whole == ONE else None
        own_dim, dim = self.known.core.types[array].dims[own], self.dims[axis]
        forced = own_dim is not None and dim is not None and (own_dim == dim or own_dim.is_large and dim.is_large)
        self.agree(whole, named, forced)
        return axis

    def agree(self, one: Size, other: Size, forced: bool) -> None:
        if settled(self.known, one) != settled(self.known, other):
            self.agreements.append(Agreement(one, other, forced))


def together(known: Known, operands: Sequence[gast.expr], domain: Sequence[Size] | None = None) -> Joint | None:
    """The operands of one operation; over that domain, if it is given."""
    joint = Joint(known)
    ranks = [rank(known.core, operand) for operand in operands]
    if None in ranks:
        return None
    arrays = [(operand.id, ndim) for operand, ndim in zip(operands, ranks, strict=True) if ndim]
    if domain is None:
        _widen(joint, arrays)
    else:
        joint.domain, joint.dims = list(domain), [None] * len(domain)
    for operand, ndim in zip(operands, ranks, strict=True):
        first = len(joint.domain) - ndim
        if first < 0:
            return None
        axes = tuple(joint.align(first + own, operand.id, own) for own in range(ndim))
        joint.uses.append(placed(known, operand, axes) if ndim else Use(operand))
    return joint


def placed(known: Known, node: gast.Name, axes: tuple[int | None, ...]) -> Use:
    return Use(node, axes, known.place(node.id, tuple(At(axis) if axis is not None else At() for axis in axes)))


def _widen(joint: Joint, arrays: Sequence[tuple[str, int]]) -> None:
    """Per axis the size of the first array that has more than one item there."""
    whole = max((ndim for _, ndim in arrays), default=0)
    joint.domain, joint.dims = [ONE] * whole, [None] * whole
    for array, ndim in reversed(arrays):
        for own in range(ndim):
            named = size(joint.known, array, own)
            if named != ONE and not _is_one(joint.known.core, array, own):
                joint.domain[whole - ndim + own] = named
                joint.dims[whole - ndim + own] = joint.known.core.types[array].dims[own]


def outer(known: Known, operands: Sequence[gast.expr]) -> Joint | None:
    """Two vectors, each along an axis of its own."""
    if [rank(known.core, operand) for operand in operands] != [1, 1]:
        return None
    joint = Joint(known, [size(known, operand.id, 0) for operand in operands])
    joint.uses = [placed(known, operand, (axis,)) for axis, operand in enumerate(operands)]
    return joint


def multiplied(known: Known, matrix: gast.Name, vector: gast.Name, axis: int) -> Joint | None:
    """A matrix, and a vector that is as long as it is along an axis."""
    joint = together(known, [matrix])
    along = None if joint is None else joint.align(axis, vector.id, 0)
    if joint is None or along is None or joint.uses[0].axes != (0, 1):
        return None
    joint.uses.append(placed(known, vector, (along,)))
    return joint


def spread(known: Known, operand: gast.expr, shape: gast.expr, ndim: int) -> Joint | None:
    """An array that is broadcast to a shape."""
    sizes = [of_shape(known, shape, axis) for axis in range(ndim)]
    if any(named is None or not can_be_spelled(known, named) for named in sizes):
        return None
    return together(known, [operand], [named for named in sizes if named is not None])


def summed_to(known: Known, operand: gast.expr, like: gast.expr) -> Joint | None:
    """An array that is as large already as what it is summed to, as far as that is known."""
    joint = together(known, [operand])
    if joint is None or rank(known.core, like) != rank(known.core, operand):
        return None
    for axis, named in enumerate(joint.domain):
        if _is_one(known.core, like.id, axis) and named != ONE:
            return None
        joint.agree(named, size(known, like.id, axis), False)
    return joint


def into(known: Known, base: str, index: gast.expr, value: gast.expr) -> tuple[Joint, Use] | None:
    """What is stored, broadcast to where it is stored."""
    ndim = rank(known.core, gast.Name(id=base, ctx=gast.Load()))
    entries = entries_of(index)
    sizes = None if ndim is None else cut(known, base, entries)
    if not sizes or None in sizes:
        return None
    domain = [named for named in sizes if named is not None]
    joint = together(known, [value], domain)
    ats = known.behind(entries, tuple(map(At, range(len(domain)))), ndim)
    if joint is None or ats is None:
        return None
    return joint, Use(gast.Name(id=base, ctx=gast.Load()), (), known.place(base, ats))


def rank(core: Core, node: gast.expr) -> int | None:
    """Of an operand; None if it is none that loops of numbers compute with."""
    if isinstance(node, gast.Constant) and isinstance(node.value, (bool, int, float, complex)):
        return 0
    type_ = core.types.get(node.id) if isinstance(node, gast.Name) else None
    if not isinstance(type_, (Scalar, Array)) or type_.dtype.itemsize not in _KINDS.get(type_.dtype.kind, ()):
        return None
    return None if isinstance(type_, Array) and not type_.dims else type_.ndim


def _is_one(core: Core, array: str, axis: int) -> bool:
    dim = core.types[array].dims[axis]
    return dim is not None and dim.is_one
