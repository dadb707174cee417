"""Running sums and products for compiled code, along one axis in the middle of three."""
import numba
import numpy as np  # noqa: F401  (for the doctests)

from kernels.layout import around_axes


@numba.njit(cache=True, nogil=True)
def cumsum_axis(x, axis):
    """Running sums along `axis`, as an array of three axes.

    >>> cumsum_axis(np.ones((2, 3)), 1)[:, :, 0]
    array([[1., 2., 3.],
           [1., 2., 3.]])
    """
    cube = around_axes(x, axis, axis).copy()
    outer, middle, inner = cube.shape
    for o in range(outer):
        for m in range(1, middle):
            for i in range(inner):
                cube[o, m, i] += cube[o, m - 1, i]
    return cube


@numba.njit(cache=True, nogil=True)
def cumprod_axis(x, axis):
    """Running products along `axis`, as an array of three axes.

    >>> cumprod_axis(np.array([1.0, 2.0, 3.0]), 0).ravel()
    array([1., 2., 6.])
    """
    cube = around_axes(x, axis, axis).copy()
    outer, middle, inner = cube.shape
    for o in range(outer):
        for m in range(1, middle):
            for i in range(inner):
                cube[o, m, i] *= cube[o, m - 1, i]
    return cube


@numba.njit(cache=True, nogil=True)
def recurrence(terms, factors):
    """`s[i] = terms[i] + factors[i] * s[i - 1]` along the first axis; `s[-1]` is 0.

    >>> recurrence(np.array([1.0, 1.0, 1.0]), np.array([5.0, 2.0, 3.0]))
    array([ 1.,  3., 10.])
    """
    totals = terms.copy()
    for i in range(1, len(terms)):
        totals[i] = terms[i] + factors[i] * totals[i - 1]
    return totals
