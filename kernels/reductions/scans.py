"""Running sums and products for compiled code, along one axis in the middle of three."""
import numba
import numpy as np  # noqa: F401  (for the doctests)

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.layout import around_axes


@numba.njit(nogil=True, inline='always')  # so that `step` is no argument, of which Numba keeps nothing on disk
def _running(x, axis, step):
    """Each item after the first becomes `step` of what the one before it has become, and of itself."""
    cube = around_axes(x, axis, axis).copy()
    outer, middle, inner = cube.shape
    for o in range(outer):
        for m in range(1, middle):
            for i in range(inner):
                cube[o, m, i] = step(cube[o, m - 1, i], cube[o, m, i])
    return cube


@numba.njit(nogil=True)
def _sum(before, item):
    return before + item


@numba.njit(nogil=True)
def _product(before, item):
    return before * item


@numba.njit(nogil=True)
def _greater(before, item):
    return item if item >= before or item != item else before


@numba.njit(nogil=True)
def _less(before, item):
    return item if item <= before or item != item else before


@kernel()
def cumsum_axis(x, axis):
    """Running sums along `axis`, as an array of three axes.

    >>> cumsum_axis(np.ones((2, 3)), 1)[:, :, 0]
    array([[1., 2., 3.],
           [1., 2., 3.]])
    """
    return _running(x, axis, _sum)


@kernel()
def cumprod_axis(x, axis):
    """Running products along `axis`, as an array of three axes.

    >>> cumprod_axis(np.array([1.0, 2.0, 3.0]), 0).ravel()
    array([1., 2., 6.])
    """
    return _running(x, axis, _product)


@kernel()
def maximum_axis(x, axis):
    """The greatest items so far along `axis`, as an array of three axes; NaN from the first NaN on.

    >>> maximum_axis(np.array([1.0, 3.0, np.nan, 2.0]), 0).ravel()
    array([ 1.,  3., nan, nan])
    """
    return _running(x, axis, _greater)


@kernel()
def minimum_axis(x, axis):
    """The least items so far along `axis`, as an array of three axes; NaN from the first NaN on.

    >>> minimum_axis(np.array([2.0, 3.0, 1.0]), 0).ravel()
    array([2., 2., 1.])
    """
    return _running(x, axis, _less)


@kernel()
def recurrence(terms, factors):
    """`s[i] = terms[i] + factors[i] * s[i - 1]` along the first axis; `s[-1]` is 0.

    >>> recurrence(np.array([1.0, 1.0, 1.0]), np.array([5.0, 2.0, 3.0]))
    array([ 1.,  3., 10.])
    """
    totals = terms.copy()
    for i in range(1, len(terms)):
        totals[i] = terms[i] + factors[i] * totals[i - 1]
    return totals
