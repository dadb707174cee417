"""Contractions whose pullback is another contraction, written by rank so that it prints as `ct @ b.T`."""
import numpy as np

from transpiler.rules.arrays.reductions import NO_OUT
from transpiler.rules.base.batching import flat, new_axes
from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, static_helper, vjp
from transpiler_kernels import arrays
from transpiler_kernels.definitions.mathematics.values import added_up, numpys_beside

RANKS = (case((3,), (3,)), case((2, 3), (3,)), case((3,), (3, 4)), case((2, 3), (3, 4)))


@vjp(np.matmul, aliases=(np.linalg.matmul,), linear_in=('x1', 'x2'),
     examples=(*RANKS, case((5, 2, 3), (3,)), case((3,), (5, 3, 4)), case((5, 2, 3), (3, 4)), case((2, 3), (5, 3, 4)),
               case((5, 2, 3), (5, 3, 4)), case((6, 1, 2, 3), (5, 3, 4)), case((1, 2, 3), (5, 3, 4))))
def matmul(ct, x1, x2):
    if x1.ndim <= 2 and x2.ndim <= 2:
        return matrix_left(ct, x1, x2), matrix_right(ct, x1, x2)
    return stack_left(ct, x1, x2), stack_right(ct, x1, x2)


def matrix_left(ct, a, b):
    """The cotangent of `a` in `a @ b`, for vectors and matrices."""
    if b.ndim == 2:
        return ct @ b.T
    if a.ndim == 2:
        return np.outer(ct, b)
    return ct * b


def matrix_right(ct, a, b):
    """The cotangent of `b` in `a @ b`, for vectors and matrices."""
    if a.ndim == 2:
        return a.T @ ct
    if b.ndim == 2:
        return np.outer(a, ct)
    return ct * a


def stack_left(ct, a, b):
    """The cotangent of `a` in `a @ b`, where one of them is a stack of matrices."""
    if b.ndim == 1:
        return np.expand_dims(ct, -1) * b
    if b.ndim == 2:
        return ct @ b.T
    if a.ndim == 1:
        return arrays.unbroadcast(np.sum(np.expand_dims(ct, -2) * b, axis=-1), a)
    return arrays.unbroadcast(ct @ np.swapaxes(b, -1, -2), a)


def rows(a):
    """The number of rows of all matrices in an array; -1 would not do for rows without elements."""
    count = 1
    for size in a.shape[:-1]:
        count = count * size
    return count


def stack_right(ct, a, b):
    """The cotangent of `b` in `a @ b`, where one of them is a stack of matrices."""
    if b.ndim == 1:
        return np.reshape(a, (rows(a), a.shape[-1])).T @ np.ravel(ct)
    if b.ndim == 2:
        return np.reshape(a, (rows(a), a.shape[-1])).T @ np.reshape(ct, (rows(a), b.shape[1]))
    if a.ndim == 1:
        return np.expand_dims(a, -1) * np.expand_dims(ct, -2)
    return arrays.unbroadcast(np.swapaxes(a, -1, -2) @ ct, b)


@vjp(np.dot, linear_in=('a', 'b'), allowed=NO_OUT,
     examples=(*RANKS, case((), ()), case((), (3,)), case((2, 3), ()), case((5, 2, 3), (3,)), case((5, 2, 3), (3, 4)),
               case((2, 3), (5, 3, 4)), case((3,), (5, 3, 4)), case((2, 5, 3), (4, 3, 2))))
def dot(ct, a, b, out=None):
    if a.ndim == 0 or b.ndim == 0:
        return scaled(ct, a, b), scaled(ct, b, a)
    if a.ndim <= 2 and b.ndim <= 2:
        return matrix_left(ct, a, b), matrix_right(ct, a, b)
    if b.ndim <= 2:
        return stack_left(ct, a, b), stack_right(ct, a, b)
    return tensordot(ct, a, b, ((a.ndim - 1,), (b.ndim - 2,)))


def scaled(ct, a, b):
    """The cotangent of `a` in `a * b`, where one of them is a number."""
    return ct * b if b.ndim == 0 else np.sum(ct * b)


@vjp(np.inner, linear_in=('a', 'b'),
     examples=(case((), ()), case((), (3,)), case((3,), (3,)), case((2, 3), (3,)), case((3,), (2, 3)), case((2, 3), (4, 3)),
               case((5, 2, 3), (4, 3))))
def inner(ct, a, b):
    if a.ndim == 0 or b.ndim == 0:
        return scaled(ct, a, b), scaled(ct, b, a)
    if a.ndim == 1 and b.ndim == 1:
        return ct * b, ct * a
    if a.ndim == 2 and b.ndim == 2:
        return ct @ b, ct.T @ a
    return tensordot(ct, a, b, ((a.ndim - 1,), (b.ndim - 1,)))


@vjp(np.outer, aliases=(np.linalg.outer,), linear_in=('a', 'b'), allowed=NO_OUT,
     examples=(case((3,), (4,)), case((2, 3), (4,)), case((), (3,))))
def outer(ct, a, b, out=None):
    return np.reshape(ct @ np.ravel(b), a.shape), np.reshape(np.ravel(a) @ ct, b.shape)


@vjp(np.vdot, linear_in=('a', 'b'), examples=(case((3,), (3,)), case((2, 3), (2, 3)), case((), ())))
def vdot(ct, a, b):
    if np.iscomplexobj(a):
        return np.conjugate(ct * np.reshape(b, a.shape)), ct * np.conjugate(np.reshape(a, b.shape))
    return ct * np.reshape(b, a.shape), ct * np.reshape(a, b.shape)


@vjp(np.tensordot, aliases=(np.linalg.tensordot,), linear_in=('a', 'b'),
     examples=(case((2, 3), (3, 4), axes=1), case((2, 3), (2, 3)), case((2, 3), (4, 5), axes=0),
               case((3, 4, 2), (2, 5, 3), axes=([0, 2], [2, 0])),
               case((3, 4), (3,), axes=(0, 0)), case((3, 4, 2), (4, 5), axes=([-2], [0]))))
def tensordot(ct, a, b, axes=2):
    of_a = contracted(axes, a.ndim, 0)
    of_b = contracted(axes, b.ndim, 1)
    kept_a = others(of_a, a.ndim)
    kept_b = others(of_b, b.ndim)
    a_bar = np.tensordot(ct, b, (last(len(kept_b), ct.ndim), kept_b))
    b_bar = np.tensordot(a, ct, (kept_a, first(len(kept_a))))
    return arranged(a_bar, left_order(of_a, of_b, kept_a)), arranged(b_bar, right_order(of_a, of_b, kept_b))


def arranged(x, axes):
    return x if in_order(axes) else np.transpose(x, axes)


@static_helper
def in_order(axes):
    return axes == tuple(range(len(axes)))


@static_helper
def contracted(axes, ndim, side):
    """The axes of one operand (`side` 0 or 1) that `tensordot` sums over."""
    if isinstance(axes, int):
        return tuple(range(ndim - axes, ndim)) if side == 0 else tuple(range(axes))
    chosen = axes[side]
    return tuple(k % ndim for k in ((chosen,) if isinstance(chosen, int) else chosen))


@static_helper
def others(axes, ndim):
    return tuple(k for k in range(ndim) if k not in axes)


@static_helper
def first(n):
    return tuple(range(n))


@static_helper
def last(n, ndim):
    return tuple(range(ndim - n, ndim))


@static_helper
def left_order(of_a, of_b, kept_a):
    """Where the axes of `a` lie in its raw cotangent: the kept ones, then the contracted ones in `b`'s order."""
    raw = [*kept_a, *(of_a[k] for k in sorted(range(len(of_b)), key=of_b.__getitem__))]
    return tuple(raw.index(k) for k in range(len(raw)))


@static_helper
def right_order(of_a, of_b, kept_b):
    """Where the axes of `b` lie in its raw cotangent: the contracted ones in `a`'s order, then the kept ones."""
    raw = [*(of_b[k] for k in sorted(range(len(of_a)), key=of_a.__getitem__)), *kept_b]
    return tuple(raw.index(k) for k in range(len(raw)))


@batched(np.matmul, mixed=True)
def matmul_of_examples(function, which, x1, x2):
    first, second = x1.ndim - which[0], x2.ndim - which[1]
    if first == 1 and second == 1:
        return dots(which, x1, x2)
    if first == 2 and second == 1 and which == (False, True):
        return x2 @ x1.T
    if first == 1 and which[0] and (second > 2 or which[1]):
        return (x1[row_index(second)] @ x2)[..., 0, :]
    if second == 1 and which[1]:
        return (x1 @ x2[column_index(first)])[..., 0]
    if which[0] and first < second:
        x1 = x1[new_axes(second if first > 1 else first, x1.ndim)]
    if which[1] and second < first and second > 1:
        x2 = x2[new_axes(first, x2.ndim)]
    return x1 @ x2


def dots(which, a, b):
    """The products of vectors, of which at least one is a batch."""
    if which == (True, True):
        return added_up(a * b, 1)
    return a @ b if which[0] else b @ a


@static_helper
def row_index(rank):
    """An index that makes of each vector of a batch a matrix of one row, to be multiplied by arrays of rank `rank`."""
    return (slice(None),) + (None,) * (rank - 1)


@static_helper
def column_index(rank):
    return (slice(None),) + (None,) * (rank - 2) + (slice(None), None)


@batched(np.dot, mixed=True)
def dot_of_examples(function, which, a, b):
    first, second = a.ndim - which[0], b.ndim - which[1]
    if first == 0 or second == 0:
        return times(which, a, b)
    if second <= 2:
        return matmul_of_examples(np.matmul, which, a, b)
    return np.einsum(with_examples(tensordot_labels(((first - 1,), (second - 2,)), first, second), which), a, b)


def times(which, a, b):
    """The product of arrays of which one is a number for each example."""
    rank = max(a.ndim - which[0], b.ndim - which[1])
    a = a[new_axes(rank, a.ndim)] if which[0] else numpys_beside(a, b)
    b = b[new_axes(rank, b.ndim)] if which[1] else numpys_beside(b, a)
    return a * b


@batched(np.inner, mixed=True)
def inner_of_examples(function, which, a, b):
    first, second = a.ndim - which[0], b.ndim - which[1]
    if first == 0 or second == 0:
        return times(which, a, b)
    if first == 1 and second == 1:
        return dots(which, a, b)
    return np.einsum(with_examples(tensordot_labels(((first - 1,), (second - 1,)), first, second), which), a, b)


@batched(np.outer, mixed=True)
def outer_of_examples(function, which, a, b):
    a = flat(a)[:, :, None] if which[0] else np.ravel(a)[:, None]
    return a * (flat(b)[:, None, :] if which[1] else np.ravel(b))


@batched(np.vdot, mixed=True)
def vdot_of_examples(function, which, a, b):
    if np.iscomplexobj(a):
        a = np.conjugate(a)
    return dots(which, flat(a) if which[0] else np.ravel(a), flat(b) if which[1] else np.ravel(b))


@batched(np.tensordot, mixed=True)
def tensordot_of_examples(function, which, a, b, axes=2):
    labels = tensordot_labels(axes, a.ndim - which[0], b.ndim - which[1])
    return np.einsum(with_examples(labels, which), a, b)


@static_helper
def tensordot_labels(axes, first, second):
    """`np.tensordot` as an Einstein sum: the labels of the operands and of the result.

    >>> tensordot_labels(1, 2, 2)
    ('ij', 'jk', 'ik')
    """
    of_a, of_b = contracted(axes, first, 0), contracted(axes, second, 1)
    left = 'ijklmnopqrstuvw'[:first]
    more = iter('ijklmnopqrstuvw'[first:])
    right = ''.join(left[of_a[of_b.index(k)]] if k in of_b else next(more) for k in range(second))
    return left, right, ''.join(c for c in left if c not in right) + ''.join(c for c in right if c not in left)


@static_helper
def with_examples(labels, which):
    """The subscripts of an Einstein sum over batches, from the labels for one example.

    >>> with_examples(('ij', 'jk', 'ik'), (False, True))
    'ij,bjk->bik'
    """
    letter = next(c for c in 'bnzyxBNZYX' if c not in ''.join(labels))
    *operands, result = labels
    return ','.join(letter * flag + own for own, flag in zip(operands, which)) + f'->{letter}{result}'
