"""Moving items about in compiled code."""
import numpy as np

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty, zeros
from transpiler_kernels.memory.layout import around_axes


@kernel()
def roll_axis(x, shift, axis):
    """`x` with the items along `axis` moved on by `shift`.

    >>> roll_axis(np.arange(4), 1, 0)
    array([3, 0, 1, 2])
    """
    cube = around_axes(x, axis, axis)
    outer, middle, inner = cube.shape
    rows = cube.reshape(outer, middle * inner)
    rolled, first = np.empty_like(rows), shift % max(middle, 1) * inner
    for o in range(outer):
        rolled[o, first:] = rows[o, :rows.shape[1] - first]
        rolled[o, :first] = rows[o, rows.shape[1] - first:]
    return rolled.reshape(x.shape)


@kernel()
def tril(planes, k):
    """The lower triangle of each matrix in a stack.

    >>> tril(np.ones((1, 2, 2)), 0)
    array([[[1., 0.],
            [1., 1.]]])
    """
    lower = zeros(planes.shape, planes.dtype)
    for p in range(planes.shape[0]):
        for i in range(planes.shape[1]):
            for j in range(min(i + k + 1, planes.shape[2])):
                lower[p, i, j] = planes[p, i, j]
    return lower


@kernel()
def triu(planes, k):
    """The upper triangle of each matrix in a stack.

    >>> triu(np.ones((1, 2, 2)), 1)
    array([[[0., 1.],
            [0., 0.]]])
    """
    upper = zeros(planes.shape, planes.dtype)
    for p in range(planes.shape[0]):
        for i in range(planes.shape[1]):
            for j in range(max(i + k, 0), planes.shape[2]):
                upper[p, i, j] = planes[p, i, j]
    return upper


@kernel()
def repeat_axis(x, repeats, axis):
    """Every item along `axis` `repeats` times, as an array of three axes.

    >>> repeat_axis(np.array([1, 2]), 2, 0).ravel()
    array([1, 1, 2, 2])
    """
    cube = around_axes(x, axis, axis)
    outer, middle, inner = cube.shape
    longer = empty((outer, middle * repeats, inner), x.dtype)
    for o in range(outer):
        for m in range(middle):
            for r in range(repeats):
                for i in range(inner):
                    longer[o, m * repeats + r, i] = cube[o, m, i]
    return longer


@kernel()
def diagonal_ones(rows, columns, offset, dtype):
    """`np.eye`.

    >>> diagonal_ones(2, 3, 1, np.float64)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    matrix = zeros((rows, columns), dtype)
    for i in range(max(0, -offset), min(rows, columns - offset)):
        matrix[i, i + offset] = 1
    return matrix


@kernel()
def lower_ones(rows, columns, offset, dtype):
    """`np.tri`.

    >>> lower_ones(2, 2, 0, np.float64)
    array([[1., 0.],
           [1., 1.]])
    """
    matrix = zeros((rows, columns), dtype)
    for i in range(rows):
        for j in range(min(i + offset + 1, columns)):
            matrix[i, j] = 1
    return matrix


@kernel()
def only_item(x):
    """The one item of an array of size 1.

    >>> only_item(np.array([[3.0]]))
    3.0
    """
    if x.size != 1:
        raise ValueError('can only convert an array of size 1 to a Python scalar')
    return x.flat[0]


@kernel()
def diagonal_length(rows, columns, offset):
    """How many items a diagonal has.

    >>> diagonal_length(3, 4, 1), diagonal_length(3, 4, -1)
    (3, 2)
    """
    return max(0, min(rows, columns - offset) - max(0, -offset))


@kernel()
def diagonals(planes, offset):
    """The diagonal of each matrix in a stack.

    >>> diagonals(np.arange(4).reshape(1, 2, 2), 0)
    array([[0, 3]])
    """
    start = max(0, -offset)
    length = diagonal_length(planes.shape[1], planes.shape[2], offset)
    items = empty((planes.shape[0], length), planes.dtype)
    for p in range(planes.shape[0]):
        for i in range(length):
            items[p, i] = planes[p, start + i, start + i + offset]
    return items


@kernel()
def diagonal_in_place(plane, offset):
    """The diagonal of a matrix, as a view of it.

    >>> plane = np.arange(4).reshape(2, 2)
    >>> items = diagonal_in_place(plane, 0)
    >>> plane[1, 1] = 7
    >>> items
    array([0, 7])
    """
    corner = plane[max(0, -offset):, max(0, offset):]
    length = diagonal_length(plane.shape[0], plane.shape[1], offset)
    return np.lib.stride_tricks.as_strided(corner, (length,), (corner.strides[0] + corner.strides[1],))


@kernel()
def with_diagonals(items, rows, columns, offset):
    """A stack of matrices that are zero but for a diagonal.

    >>> with_diagonals(np.array([[1, 2]]), 2, 2, 0)
    array([[[1, 0],
            [0, 2]]])
    """
    start = max(0, -offset)
    planes = zeros((items.shape[0], rows, columns), items.dtype)
    for p in range(items.shape[0]):
        for i in range(items.shape[1]):
            planes[p, start + i, start + i + offset] = items[p, i]
    return planes


@kernel()
def square_with_diagonal(items, offset):
    """The smallest square matrix with that diagonal.

    >>> square_with_diagonal(np.array([1, 2]), -1)
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 2, 0]])
    """
    size = items.size + abs(offset)
    matrix = zeros((size, size), items.dtype)
    for i in range(items.size):
        matrix[i - min(offset, 0), i + max(offset, 0)] = items[i]
    return matrix


@kernel()
def held(mask):
    """`np.flatnonzero`, without branches.

    >>> held(np.array([[False, True], [True, False]]))
    array([1, 2])
    """
    flat = np.ascontiguousarray(mask).reshape(mask.size)
    found, count = empty(flat.size, np.int64), 0
    for k in range(flat.size):
        found[count] = k
        count += flat[k] != 0
    return found[:count]
