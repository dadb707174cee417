"""Contractions whose pullback is another contraction, written by rank so that it prints as `ct @ b.T`."""
import numpy as np

from kernels import arrays
from transpiler.rules.examples import case
from transpiler.rules.registry import static_helper, vjp

RANKS = (case((3,), (3,)), case((2, 3), (3,)), case((3,), (3, 4)), case((2, 3), (3, 4)))


@vjp(np.matmul, examples=(*RANKS, case((5, 2, 3), (3,)), case((3,), (5, 3, 4)), case((5, 2, 3), (3, 4)), case((2, 3), (5, 3, 4)),
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


def stack_right(ct, a, b):
    """The cotangent of `b` in `a @ b`, where one of them is a stack of matrices."""
    if b.ndim == 1:
        return np.reshape(a, (-1, a.shape[-1])).T @ np.ravel(ct)
    if b.ndim == 2:
        return np.reshape(a, (-1, a.shape[-1])).T @ np.reshape(ct, (-1, b.shape[1]))
    if a.ndim == 1:
        return np.expand_dims(a, -1) * np.expand_dims(ct, -2)
    return arrays.unbroadcast(np.swapaxes(a, -1, -2) @ ct, b)


@vjp(np.dot, allowed={'out': (None,)},
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


@vjp(np.inner,
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


@vjp(np.outer, allowed={'out': (None,)}, examples=(case((3,), (4,)), case((2, 3), (4,)), case((), (3,))))
def outer(ct, a, b, out=None):
    return np.reshape(ct @ np.ravel(b), a.shape), np.reshape(np.ravel(a) @ ct, b.shape)


@vjp(np.vdot, real_only=True, examples=(case((3,), (3,)), case((2, 3), (2, 3)), case((), ())))
def vdot(ct, a, b):
    return ct * np.reshape(b, a.shape), ct * np.reshape(a, b.shape)


@vjp(np.tensordot,
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
