"""Slices written in place, for compiled code: Numba's own `view += array` and `view[...] = array` take seconds to compile."""
import numpy as np

from transpiler_kernels.machine.compiled import kernel


@kernel()
def add_into(target, value):
    """`target += value` for arrays of one rank, `value` spread along its axes of size 1.

    >>> x = np.zeros((2, 2))
    >>> add_into(x, np.array([[1.0, 2.0]]))
    >>> x
    array([[1., 2.],
           [1., 2.]])
    """
    _accumulate(target, value, 1)


@kernel()
def subtract_from(target, value):
    """`target -= value`, as `add_into`.

    >>> x = np.zeros(2)
    >>> subtract_from(x, np.array([1.0, 2.0]))
    >>> x
    array([-1., -2.])
    """
    _accumulate(target, value, -1)


@kernel()
def copy_into(target, value):
    """`target[...] = value` for arrays that share no memory, `value` of as many axes or fewer.

    >>> x = np.zeros((2, 2))
    >>> copy_into(x, np.array([1.0, 2.0]))
    >>> x
    array([[1., 2.],
           [1., 2.]])
    """
    spread = np.broadcast_to(value, target.shape)
    if target.ndim == 1:
        for i in range(target.shape[0]):
            target[i] = spread[i]
    elif target.ndim == 2:
        for i in range(target.shape[0]):
            for j in range(target.shape[1]):
                target[i, j] = spread[i, j]
    else:
        for index in np.ndindex(target.shape):
            target[index] = spread[index]


@kernel()
def _accumulate(target, value, sign):
    if target.shape == value.shape:
        _same_shape(target, value, sign)
    else:
        spread = np.broadcast_to(value, target.shape)
        for index in np.ndindex(target.shape):
            target[index] += sign * spread[index]


@kernel()
def _same_shape(target, value, sign):
    if target.ndim == 1:
        for i in range(target.shape[0]):
            target[i] += sign * value[i]
    if target.ndim == 2:
        for i in range(target.shape[0]):
            for j in range(target.shape[1]):
                target[i, j] += sign * value[i, j]
    if target.ndim == 3:
        for i in range(target.shape[0]):
            for j in range(target.shape[1]):
                for k in range(target.shape[2]):
                    target[i, j, k] += sign * value[i, j, k]
    if target.ndim > 3:
        for index in np.ndindex(target.shape):
            target[index] += sign * value[index]
