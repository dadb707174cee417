"""Einstein sums: the pullback of each operand is another one, its subscripts worked out while code is generated."""
import numpy as np

from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, static_helper, vjp
from transpiler.rules.linear_algebra.products import with_examples
from transpiler_kernels import arrays

EXAMPLES = (
    case('ij,jk->ik', (2, 3), (3, 4)), case('ij,ij->i', (2, 3), (2, 3)), case('ij->ji', (2, 3)), case('ij->', (2, 3)),
    case('ij->i', (2, 3)), case('ii->', (3, 3)),
    case('ii->i', (3, 3)), case('i,j,k->ijk', (2,), (3,), (4,)), case('ij,jk', (2, 3), (3, 4)),
    case('bij,bjk->bik', (2, 3, 4), (2, 4, 2)), case('...j,j', (2, 3), (3,)), case('...ij,...jk->...ik', (5, 2, 3), (3, 4)),
    case('ij,jk->ik', (2, 1), (3, 4)), case('ij,j->', (2, 3), (3,)), case('i...->...', (2, 3)), case('ba', (2, 3)),
    case('i,i->i', (1,), (4,)),
)


@vjp(np.einsum, linear_in=('operands',), static=('subscripts',),
     allowed={'out': (None,), 'dtype': (None,), 'order': ('K',), 'casting': ('safe',)},
     examples=EXAMPLES)
def einsum(ct, subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False):
    ranks = ()
    for x in operands:
        ranks = ranks + (x.ndim,)
    bars = ()
    for k, _ in enumerate(operands):
        bars = bars + (operand_bar(ct, einsum_labels(subscripts, ranks), operands, k),)
    return bars


def operand_bar(ct, labels, operands, k):
    """The cotangent of operand `k`: `ct` against the others, an identity for a diagonal; lonely axes are repeated."""
    terms = (ct,)
    for number, other in enumerate(operands):
        if number != k:
            terms = terms + (other,)
    x = operands[k]
    for axis in repeated_axes(labels, k):
        terms = terms + (np.eye(x.shape[axis], dtype=x.dtype),)
    bar = np.einsum(transposed_subscripts(labels, k), *terms)
    if len(lonely_axes(labels, k)) > 0:
        return np.broadcast_to(np.expand_dims(bar, lonely_axes(labels, k)), x.shape)
    return arrays.fitted(bar, x)


@static_helper
def einsum_labels(subscripts, ranks):
    """The labels of every operand and then of the result, with dots and an implicit result spelled out.

    >>> einsum_labels('...j,j', (2, 1))
    ('Aj', 'j', 'A')
    """
    inputs, arrow, output = subscripts.replace(' ', '').partition('->')
    hidden = [rank - len(labels.replace('...', '')) for labels, rank in zip(inputs.split(','), ranks)]
    dots = ''.join(letter for letter in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' if letter not in subscripts)[:max(hidden, default=0)]
    if not arrow:
        letters = inputs.replace('.', '').replace(',', '')
        output = '...' + ''.join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    spelled = [labels.replace('...', dots[len(dots) - count:]) for labels, count in zip(inputs.split(','), hidden)]
    return (*spelled, output.replace('...', dots))


@static_helper
def lonely_axes(labels, k):
    """The axes of operand `k` whose label stands nowhere else: sums over it alone."""
    elsewhere = ''.join(part for j, part in enumerate(labels) if j != k)
    return tuple(axis for axis, label in enumerate(labels[k]) if label not in elsewhere and labels[k].count(label) == 1)


@static_helper
def repeated_axes(labels, k):
    """The axes of operand `k` whose label stood before: they read a diagonal."""
    return tuple(axis for axis, label in enumerate(labels[k]) if labels[k].index(label) < axis)


@static_helper
def transposed_subscripts(labels, k):
    """The subscripts of the Einstein sum that gives the cotangent of operand `k`.

    >>> transposed_subscripts(('ij', 'jk', 'ik'), 0), transposed_subscripts(('ii', ''), 0)
    ('ik,jk->ij', ',ia->ia')
    """
    fresh = iter(letter for letter in 'abcdefghijklmnopqrstuvwxyz' if letter not in ''.join(labels))
    renamed, identities = list(labels[k]), []
    for axis in repeated_axes(labels, k):
        renamed[axis] = next(fresh)
        identities.append(labels[k][axis] + renamed[axis])
    others = [part for j, part in enumerate(labels[:-1]) if j != k]
    kept = [label for axis, label in enumerate(renamed) if axis not in lonely_axes(labels, k)]
    return f'{",".join([labels[-1], *others, *identities])}->{"".join(kept)}'


@batched(np.einsum, mixed=True)
def einsum_of_examples(function, which, *operands, subscripts, **options):
    ranks = ()
    for k, x in enumerate(operands):
        ranks = ranks + (x.ndim - which[k],)
    return np.einsum(with_examples(einsum_labels(subscripts, ranks), which), *operands)
