"""Einstein sums: operands are contracted in pairs, each pair as a product of matrices or of stacks of matrices."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called
from transpiler.lower.linear_algebra.products import diagonal_of, small, times
from transpiler.lower.primitives.reductions import sum_over
from transpiler.lower.primitives.shapes import WHOLE, indexed, product, reshaped, transposed
from transpiler.rules.linear_algebra.einsum import einsum_labels
from transpiler.values.types import INT, Type


@dataclass(frozen=True)
class Term:
    """An operand and the label of each of its axes."""

    value: Value
    labels: str

    def sizes(self, context: Context) -> dict[str, gast.expr]:
        return dict(zip(self.labels, context.shape(self.value), strict=True))


@lowers('numpy.einsum')
def einsum(context: Context, call: Call, type_: Type) -> Value:
    subscripts, *given = call.args
    narrow = type_.dtype.kind == 'b' or type_.dtype.kind in 'iu' and type_.dtype.itemsize < 8
    wide = np.dtype(np.int64) if narrow else type_.dtype  # compiled sums are wide: they wrap around, or are flags, at the end
    values = [context.named(context.cast(context.value(v), wide), 'x') for v in given]
    values = [context.number(v) for v in values]
    *inputs, output = einsum_labels(context.literal(subscripts, 'subscripts'), tuple(v.ndim for v in values))
    terms = [without_repeats(context, Term(v, labels)) for v, labels in zip(values, inputs, strict=True)]
    terms = stretched(context, terms)
    result = terms[0]
    for k, term in enumerate(terms[1:], 1):
        later = set(output).union(*(t.labels for t in terms[k + 1:]))
        left, right = summed(context, result, later | set(term.labels)), summed(context, term, later | set(result.labels))
        result = pair(context, left, right, later)
    result = summed(context, result, set(output))
    value = transposed(result.value, [result.labels.index(label) for label in output]) if output else result.value
    if len(terms) > 1 or value.ndim == 0 or set(inputs[0]) != set(output):
        return context.cast(value, type_.dtype)
    context.views.must_not_show('compiled, an Einstein sum is a copy also where NumPy has a view')
    return context.cast(Value(build.call('numpy.copy', value.node), value.type), type_.dtype)


def without_repeats(context: Context, term: Term) -> Term:
    """A label that stands twice reads a diagonal."""
    for label in term.labels:
        places = [k for k, other in enumerate(term.labels) if other == label]
        if len(places) > 1:
            axes = [build.constant(k) for k in places[:2]]
            value = context.named(diagonal_of(context, term.value, [None, *axes]), 'items')
            rest = ''.join(other for k, other in enumerate(term.labels) if k not in places[:2])
            return without_repeats(context, Term(value, rest + label))
    return term


def stretched(context: Context, terms: list[Term]) -> list[Term]:
    """An axis of size 1 is as long as the others of its label; where the types tell that none is, nothing is done."""
    dims: dict[str, list] = {}
    for term in terms:
        for label, dim in zip(term.labels, getattr(term.value.type, 'dims', ()), strict=True):
            dims.setdefault(label, []).append(dim)
    doubtful = [label for label, found in dims.items() if not _as_long(found)]
    if not doubtful:
        return terms
    full = {}
    for label in doubtful:
        sizes = [term.sizes(context)[label] for term in terms if label in term.labels]
        common = sizes[0]
        for size in sizes[1:]:
            common = build.call(context.target.products.common_size, common, size)
        full[label] = context.named(Value(common, INT), 'size').node
    return [_stretch(context, term, full) for term in terms]


def _as_long(dims: list) -> bool:
    """Whether no axis of these sizes is stretched along another: all are the same, or none is 1."""
    return len(dims) == 1 or (None not in dims and (len(set(dims)) == 1 or all(dim.is_large for dim in dims)))


def _stretch(context: Context, term: Term, full: dict[str, gast.expr]) -> Term:
    if not set(term.labels) & set(full):
        return term
    shape = tuple(full.get(label, size) for label, size in term.sizes(context).items())
    wide = Value(build.call('numpy.broadcast_to', term.value.node, shape), array_type(term.value.dtype, len(shape)))
    return Term(context.named(wide, 'wide'), term.labels)


def summed(context: Context, term: Term, kept: set[str]) -> Term:
    """Sum the axes whose label is needed no more."""
    axes = tuple(k for k, label in enumerate(term.labels) if label not in kept)
    if not axes:
        return term
    value = context.named(sum_over(context, context.named(term.value, 'x'), axes, False), 'part')
    return Term(value, ''.join(label for label in term.labels if label in kept))


def pair(context: Context, a: Term, b: Term, later: set[str]) -> Term:
    """Two terms as one; a shared label that is not needed later is summed."""
    shared = [label for label in a.labels if label in b.labels]
    batch = ''.join(label for label in shared if label in later)
    inside = ''.join(label for label in shared if label not in later)
    rows = ''.join(label for label in a.labels if label not in shared)
    columns = ''.join(label for label in b.labels if label not in shared)
    if not inside or (batch and not rows and not columns):
        everything = batch + rows + columns + inside
        value = context.named(times(context, spread(a, everything), spread(b, everything)), 'part')
        return summed(context, Term(value, everything), later)
    sizes = {**b.sizes(context), **a.sizes(context)}
    left, right = arranged(a, batch + rows + inside), arranged(b, batch + inside + columns)

    def size(labels: Iterable[str]) -> gast.expr:
        return product([sizes[label] for label in labels])
    if batch:
        left = reshaped(left, [size(batch), size(rows), size(inside)])
        right = reshaped(right, [size(batch), size(inside), size(columns)])
        result = called(left.dtype, 3, context.target.products.stacked, left.node, right.node)
    else:
        if len(rows) > 1 or len(inside) > 1:
            left = reshaped(left, [*([size(rows)] if rows else []), size(inside)])
        if len(columns) > 1 or len(inside) > 1:
            right = reshaped(right, [size(inside), *([size(columns)] if columns else [])])
        result = small(context, left, right)
    labels = batch + rows + columns
    value = result if result.ndim == len(labels) and not batch else reshaped(result, [sizes[label] for label in labels])
    return Term(context.named(value, 'part'), labels)


def arranged(term: Term, labels: str) -> Value:
    return transposed(term.value, [term.labels.index(label) for label in labels])


def spread(term: Term, labels: str) -> Value:
    """The term with its axes in the order of `labels`, and new ones for those it has not."""
    if not term.labels:
        return term.value
    ordered = arranged(term, ''.join(label for label in labels if label in term.labels))
    return indexed(ordered, [WHOLE if label in term.labels else build.constant(None) for label in labels], len(labels))
