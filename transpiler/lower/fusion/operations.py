"""Statements that do the same at every place of an array: what they read there, and what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.core.query import primitive
from transpiler.lower.fusion import domains
from transpiler.lower.fusion.accesses import Known, Size
from transpiler.lower.fusion.domains import Domain, Joint, Use
from transpiler.lower.fusion.pointwise import Rebuilt, as_it_is, dtype_kind, is_plain, parts
from transpiler.lower.fusion.row_reductions import ROWS
from transpiler.lower.fusion.sizes import ONE, Agreement
from transpiler.values.types import Array, Scalar

MAKE, SUM, MEAN, MAX, MIN, STORE = 'make', 'sum', 'mean', 'max', 'min', 'store'
TOTALS = (SUM, MEAN, MAX, MIN)
_TOTALS = {f'numpy.{kind}': kind for kind in TOTALS}


@dataclass(frozen=True)
class Operation:
    """A statement over a domain.

    kind: it makes the array `target`, the number `target` (a sum, a mean, an extreme), or stores into the array `target`
    value: what it gives at a place, of its operands there
    gives: the sizes of what it makes
    axis: the first or the last one if a sum or a mean is taken along that alone
    agreements: the sizes that must be equal
    into: what it stores into
    """

    kind: str
    target: str
    domain: Domain
    uses: tuple[Use, ...]
    value: Rebuilt
    statement: gast.stmt
    gives: Domain = ()
    agreements: tuple[Agreement, ...] = ()
    into: Use | None = None
    axis: int | None = None

    @property
    def arrays(self) -> list[Use]:
        return [use for use in (*self.uses, self.into) if use is not None and use.place is not None]

    @property
    def is_total(self) -> bool:
        """It adds up what is at all places."""
        return self.kind in (SUM, MEAN) and self.axis is None

    @property
    def is_product(self) -> bool:
        """It multiplies a matrix, its first operand, by a vector."""
        return self.kind == SUM and self.axis is not None and len(self.uses) == 2

    @property
    def copies(self) -> bool:
        """It gives an operand as it is."""
        return isinstance(self.value([use.node for use in self.uses]), gast.Name)

    @property
    def fills(self) -> bool:
        """It stores one number everywhere."""
        return self.into is not None and self.uses[0].name is None and not isinstance(self.statement, gast.AugAssign)


def operation(statement: gast.stmt, known: Known) -> Operation | None:
    """The statement as one over a domain, if it is one.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> types = dict(x=Array(np.dtype(float), (None, None)), y=Array(np.dtype(float), (None,)))
    >>> core = parse('z = x * y', types=types | {'z': types['x']})
    >>> found = operation(core.body[0], Known(core))
    >>> [use.axes for use in found.uses], found.agreements[0].other
    ([(0, 1), (1,)], ('#size', 'y', 0))
    """
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=value):
            type_ = known.core.types.get(target)
            if isinstance(type_, Array):
                return _make(statement, target, type_, value, known)
            if isinstance(type_, Scalar):
                return _total(statement, target, value, known)
        case (
            gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value)
            | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value)
        ):
            return _store(statement, base, index, value, known)
    return None


def _make(statement: gast.stmt, target: str, type_: Array, value: gast.expr, known: Known) -> Operation | None:
    if not domains.rank(known.core, build.name(target)):
        return None
    joint, rebuilt = _combined(type_, value, known)
    if joint is None or len(joint.domain) != type_.ndim:
        return _along(statement, target, type_, value, known) or _of_matrix(statement, target, value, known)
    domain = tuple(joint.domain)
    return Operation(MAKE, target, domain, tuple(joint.uses), rebuilt, statement, domain, tuple(joint.agreements))


def _along(statement: gast.stmt, target: str, type_: Array, value: gast.expr, known: Known) -> Operation | None:
    """A sum or a mean along the first axis or the last one."""
    match value:
        case gast.Call(func=gast.Name(id='numpy.sum' | 'numpy.mean' as name), args=[gast.Name() as array], keywords=keywords):
            told = {keyword.arg: getattr(keyword.value, 'value', None) for keyword in keywords}
        case _:
            return None
    dtype = getattr(known.core.types.get(array.id), 'dtype', None)
    joint = domains.together(known, [array])
    if not told.keys() <= {'axis', 'keepdims'} or dtype != type_.dtype or dtype.kind != 'f' or joint is None:
        return None
    domain, uses = tuple(joint.domain), tuple(joint.uses)
    first, last = told.get('axis') == 0, told.get('axis') in (-1, len(domain) - 1)
    if len(domain) < 2 or not (first and not _is_few(domain[0]) or last):
        return None
    kept = [ONE] if type_.ndim == len(domain) else []
    gives = (*kept, *domain[1:]) if first else (*domain[:-1], *kept)
    return Operation(_TOTALS[name], target, domain, uses, as_it_is, statement, gives, axis=0 if first else -1)


def _combined(type_: Array, value: gast.expr, known: Known) -> tuple[Joint | None, Rebuilt]:
    match value:
        case gast.Call(func=gast.Name(id='numpy.outer'), args=[_, _], keywords=[]):
            return domains.outer(known, value.args), _multiplied
        case gast.Call(func=gast.Name(id='numpy.broadcast_to'), args=[operand, shape], keywords=[]):
            return domains.spread(known, operand, shape, type_.ndim or 0), as_it_is
        case gast.Call(func=gast.Name(id='kernels.unbroadcast'), args=[operand, like]):
            return domains.summed_to(known, operand, like), as_it_is
        case gast.UnaryOp(op=gast.Invert(), operand=operand) if dtype_kind(operand, known.core.types) == 'b':
            value = build.call('numpy.logical_not', operand)
        case gast.BinOp(left=base, op=gast.Pow(), right=gast.Constant(value=0.5)) if dtype_kind(base, known.core.types) == 'f':
            value = build.call('numpy.sqrt', base)  # as NumPy does with arrays: -inf has a root only where it is a number
    found = parts(value)
    if found is None:
        return None, as_it_is
    operands, rebuilt, ufunc = found
    if ufunc is None:
        plain = primitive(value) != 'numpy.astype' or type_.dtype.kind == 'f' and dtype_kind(operands[0], known.core.types) != 'c'
    else:
        plain = is_plain(ufunc, type_.dtype, operands, known.core.types)
    return domains.together(known, operands) if plain else None, rebuilt


def _is_few(size: Size) -> bool:
    """Rows that would be one band: only one thread could add them up."""
    return size[0] == '#number' and size[1] <= ROWS


def _total(statement: gast.stmt, target: str, value: gast.expr, known: Known) -> Operation | None:
    match value:
        case gast.Call(func=gast.Name(id=name), args=[gast.Name(id=array)], keywords=[]) if name in _TOTALS:
            joint = domains.together(known, value.args) if domains.rank(known.core, value.args[0]) else None
            dtype = getattr(known.core.types.get(array), 'dtype', None)
            if joint is not None and known.core.types[target].dtype == dtype and dtype.kind in 'fi':
                return Operation(_TOTALS[name], target, tuple(joint.domain), tuple(joint.uses), as_it_is, statement)
        case _ if vectors := _factors(target, value, known):
            return _of_vectors(statement, target, vectors, known)
    return None


def _factors(target: str, value: gast.expr, known: Known) -> list[gast.Name]:
    """The two operands of a product of arrays of floats of one kind."""
    match value:
        case (
            gast.BinOp(op=gast.MatMult(), left=gast.Name() as left, right=gast.Name() as right)
            | gast.Call(
                func=gast.Name(id='numpy.matmul' | 'numpy.dot'), args=[gast.Name() as left, gast.Name() as right], keywords=[]
            )
        ):
            dtypes = {getattr(known.core.types.get(name), 'dtype', None) for name in (target, left.id, right.id)}
            return [left, right] if len(dtypes) == 1 and known.core.types[target].dtype.kind == 'f' else []
    return []


def _of_vectors(statement: gast.stmt, target: str, vectors: Sequence[gast.Name], known: Known) -> Operation | None:
    """The product of two vectors, none of which is spread."""
    joint = domains.together(known, vectors)
    if joint is None or any(use.axes != (0,) for use in joint.uses):
        return None
    uses, agreements = tuple(joint.uses), tuple(joint.agreements)
    return Operation(SUM, target, tuple(joint.domain), uses, _multiplied, statement, (), agreements)


def _of_matrix(statement: gast.stmt, target: str, value: gast.expr, known: Known) -> Operation | None:
    """The product of a matrix and a vector, or of a vector and a matrix: sums along rows, or of rows."""
    factors = _factors(target, value, known)
    ranks = [domains.rank(known.core, factor) for factor in factors]
    if ranks not in ([2, 1], [1, 2]):
        return None
    axis = 1 if ranks == [2, 1] else 0
    matrix, vector = factors if axis else reversed(factors)
    joint = domains.multiplied(known, matrix, vector, axis)
    if joint is None or not axis and _is_few(joint.domain[0]):
        return None
    domain, uses, agreements = tuple(joint.domain), tuple(joint.uses), tuple(joint.agreements)
    return Operation(SUM, target, domain, uses, _multiplied, statement, (domain[1 - axis],), agreements, axis=-axis)


def _multiplied(atoms: Sequence[gast.expr]) -> gast.expr:
    return build.binary(atoms[0], gast.Mult, atoms[1])


def _store(statement: gast.stmt, base: str, index: gast.expr, value: gast.expr, known: Known) -> Operation | None:
    """Into an array, or a part of one; what would have to be rounded first is left."""
    type_, given = known.core.types.get(base), known.core.types.get(getattr(value, 'id', ''))
    if not isinstance(type_, Array) or isinstance(given, Array) and given.dtype != type_.dtype:
        return None
    found = domains.into(known, base, index, value)
    if found is None:
        return None
    joint, place = found
    return Operation(
        STORE, base, tuple(joint.domain), tuple(joint.uses), as_it_is, statement, (), tuple(joint.agreements), place
    )
