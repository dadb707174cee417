"""Helpers for generated Python code whose ranks or types were not known when it was written.

Each function can be copied alone, with those of this file that it calls, into a file that imports only NumPy.
"""
import numpy as np


def unbroadcast(ct, x):
    """Sum the cotangent `ct` of a broadcast value down to the shape of the operand `x`; that of a real one is real.

    >>> unbroadcast(np.ones((2, 3)), np.ones((2, 1)))
    array([[3.],
           [3.]])
    >>> unbroadcast(np.ones(4) + 1j, 2.0)
    np.float64(4.0)
    """
    ct, shape = np.real(ct) if np.iscomplexobj(ct) and not np.iscomplexobj(x) else ct, np.shape(x)
    if np.shape(ct) == shape:
        return ct
    extra = np.ndim(ct) - len(shape)
    ct = np.sum(ct, axis=tuple(range(extra)))
    kept = tuple(axis for axis, size in enumerate(shape) if size == 1 and np.shape(ct)[axis] != 1)
    return np.sum(ct, axis=kept, keepdims=True) if kept else ct


def fitted(values, like):
    """`values` in the shape of `like`, of the same rank: summed over axes where `like` has size 1, repeated where `values` has.

    >>> fitted(np.ones((1, 3)), np.zeros((2, 1)))
    array([[3.],
           [3.]])
    """
    summed = tuple(k for k in range(np.ndim(like)) if np.shape(like)[k] == 1 and np.shape(values)[k] != 1)
    values = np.sum(values, axis=summed, keepdims=True) if summed else values
    return values if np.shape(values) == np.shape(like) else np.broadcast_to(values, np.shape(like))


def recurrence(terms, factors):
    """`s[i] = terms[i] + factors[i] * s[i - 1]` along the first axis; `s[-1]` is 0.

    >>> recurrence(np.array([1.0, 1.0, 1.0]), np.array([5.0, 2.0, 3.0]))
    array([ 1.,  3., 10.])
    """
    totals = np.empty_like(terms)
    if len(terms):
        totals[0] = terms[0]
    for i in range(1, len(terms)):
        totals[i] = terms[i] + factors[i] * totals[i - 1]
    return totals


def equal_bins(a, edges):
    """Between which edges, one distance apart, items fall: the last bin has its right edge, and behind it are those in none.

    Found by division, which rounds, so that the edges have the last word.

    >>> equal_bins(np.array([0.0, 2.0, 0.5, 3.0, np.nan, 1.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 1, 0, 2, 2, 1])
    """
    last = len(edges) - 2
    inside = (a >= edges[0]) & (a <= edges[-1])
    share = (np.where(inside, a, edges[0]) - edges[0]) / (edges[-1] - edges[0])
    near = np.minimum((share * (last + 1)).astype(np.int64), last)
    near -= a < edges[near]
    near += (a >= edges[near + 1]) & (near < last)
    return np.where(inside, near, last + 1)


def places_in_order(a, places):
    """`np.argsort(a, kind='stable')[places]` of a vector, without sorting all of it.

    >>> places_in_order(np.array([3.0, np.nan, 1.0, 1.0]), np.array([1, 2, 3]))
    array([3, 0, 1])
    """
    found = np.empty(len(places), np.int64)
    for j, (place, item) in enumerate(zip(places, np.partition(a, places)[places])):
        missing = item != item
        equal, before = (a != a, a == a) if missing else (a == item, a < item)
        found[j] = np.flatnonzero(equal)[place - np.count_nonzero(before)]
    return found


def on_diagonal(values, like, offset=0, axis1=0, axis2=1):
    """Zeros like `like` with `values` on the diagonal that `np.diagonal(like, offset, axis1, axis2)` would read.

    >>> on_diagonal(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[0., 1., 0.],
           [0., 0., 2.]])
    """
    total = np.zeros(np.shape(like), values.dtype)
    planes = np.moveaxis(total, (axis1, axis2), (-2, -1))
    size = np.diagonal(like, offset, axis1, axis2).shape[-1]
    rows = np.arange(size) + max(-offset, 0)
    planes[..., rows, rows + offset] = values
    return total


def next_snapshot(start, stop, free):
    """The iteration before which to keep the next state of a loop, where its iterations `start` to `stop - 1` are to be reversed.

    The state before iteration `start` is kept already; `free` more may be. `stop` where none is worth it; ValueError if `free`
    is negative. The schedule is binomial, and runs as few iterations again as is possible: Griewank and Walther, "Algorithm 799:
    Revolve", ACM Transactions on Mathematical Software 26 (2000): with `s` states and `r` runs of each iteration, loops of up to
    binomial(s + r, s) iterations can be reversed.

    >>> next_snapshot(0, 10, 2), next_snapshot(4, 10, 1), next_snapshot(0, 10, 0), next_snapshot(3, 4, 5)
    (4, 7, 10, 4)
    """
    if free < 0:
        raise ValueError('snapshots must be at least 1')
    length = stop - start
    if free == 0 or length < 2:
        return stop
    # reach: the iterations that free + 1 states reverse in `runs` runs; `shorter` in one run fewer
    reach, shorter, runs = 1, 0, 0
    while reach < length:
        runs += 1
        shorter, reach = reach, reach * (free + 1 + runs) // runs
    fewer_states = shorter * (free + 1) // (free + runs)  # the iterations that `free` states reverse in runs - 1 runs
    return start + max(1, min(shorter, length - fewer_states))


def zeros_of(items):
    """A list of zeros in the shapes of `items`.

    >>> zeros_of([np.ones(2), np.ones(1)])
    [array([0., 0.]), array([0.])]
    """
    return [np.zeros_like(item) for item in items]


def add_items(items, array):
    """Add the items of `array` to those of the list `items`, which gets new ones.

    >>> totals = [1.0, 2.0]
    >>> add_items(totals, np.array([10.0, 20.0]))
    >>> totals
    [np.float64(11.0), np.float64(22.0)]
    """
    for place, item in enumerate(array):
        items[place] = items[place] + item


def still_real(values):
    """`values`, which are real numbers; ValueError if some of them, and so all, are complex.

    >>> still_real(np.ones(2))
    array([1., 1.])
    """
    if np.iscomplexobj(values):
        raise ValueError('the result is complex for these real numbers: give them as complex numbers, `a.astype(complex)`')
    return values


def pivoted(swapped, size):
    """The order of `size` rows after each of the first has been swapped with another one, as `scipy.linalg.lu_factor` says it.

    >>> pivoted(np.array([2, 2]), 3)
    array([2, 0, 1])
    """
    order = np.arange(size)
    for k, other in enumerate(swapped):
        order[[k, other]] = order[[other, k]]
    return order


def of_full_rank(values, rank, full):
    """`values`, which are there only if a matrix has the rank `full`; ValueError if it has not.

    >>> of_full_rank(np.ones(2), 3, 3)
    array([1., 1.])
    """
    if rank < full:
        raise ValueError('there are no residuals, as the rank of the matrix is not full')
    return values


def cofactors(a):
    """The cofactors of a square matrix, or of each in a stack: its determinant has them as derivative, also where it is singular.

    `det(a) * inv(a).T` is as accurate as they can be had, however close to singular `a` is (Stewart, "On the adjugate matrix",
    1998). Where the determinant is 0, or no normal number, they are those of a decomposition in factors, by which they multiply.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    whole = np.linalg.det(a)
    if np.all((np.finfo(whole.dtype).tiny <= np.abs(whole)) & np.isfinite(whole)):
        return whole[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)
    left, values, right, scale = _factors_of_cofactors(a)
    size = values.shape[-1]
    others = np.where(np.eye(size, dtype=bool), 1, values[..., None, :])
    return scale * ((left * np.prod(others, axis=-1)[..., None, :]) @ right)


def cofactors_along(a, b):
    """The derivative of `cofactors(a)` along `b`, which is linear in `b`: the second one of the determinant.

    >>> cofactors_along(np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    left, values, right, scale = _factors_of_cofactors(a)
    inner = _between(left, b, right)
    others = _all_but_two(values)
    change = -others * np.swapaxes(inner, -1, -2)
    return scale * (left @ _plus_diagonal(change, _times(others, np.diagonal(inner, axis1=-2, axis2=-1))) @ right)


def cofactors_along_two(a, b, c):
    """The derivative of `cofactors_along(a, b)` by `a` along `c`, which is linear in both: the third one of the determinant.

    >>> cofactors_along_two(np.zeros((3, 3)), np.eye(3), np.eye(3))[0]
    array([2., 0., 0.])
    """
    left, values, right, scale = _factors_of_cofactors(a)
    b, c = np.broadcast_arrays(_between(left, b, right), _between(left, c, right))
    change, on_diagonal = np.zeros_like(b), np.zeros_like(np.diagonal(b, axis1=-2, axis2=-1))
    for k in range(values.shape[-1]):
        own = np.arange(values.shape[-1]) == k
        others = np.where(own | own[:, None], 0, _all_but_two(np.where(own, 1, values)))
        rest = b * c[..., k, k, None, None] + c * b[..., k, k, None, None]
        rest = rest - b[..., :, k, None] * c[..., k, None, :] - c[..., :, k, None] * b[..., k, None, :]
        change = change - others * np.swapaxes(rest, -1, -2)
        two = b[..., k, k, None] * np.diagonal(c, axis1=-2, axis2=-1) - b[..., k, :] * c[..., :, k]
        on_diagonal = on_diagonal + _times(others, two)
    return scale * (left @ _plus_diagonal(change, on_diagonal) @ right)


def _factors_of_cofactors(a):
    """Two unitary factors of the cofactors of `a`, the singular values between them, and what all is to be multiplied by."""
    known = np.all(np.isfinite(a), axis=(-2, -1))
    left, values, right = np.linalg.svd(np.where(known[..., None, None], a, 0))
    scale = np.where(known, np.linalg.det(left) * np.linalg.det(right), np.nan)
    return np.conj(left), values.astype(left.dtype), np.conj(right), scale[..., None, None]


def _between(left, b, right):
    return np.swapaxes(left, -1, -2) @ b @ np.swapaxes(right, -1, -2)


def _all_but_two(values):
    """The products of all values but the i-th and the j-th; zeros on the diagonal."""
    own = np.eye(values.shape[-1], dtype=bool)
    rows = np.where(own, 1, values[..., None, :])
    before, after = np.ones_like(rows), np.ones_like(rows)
    before[..., 1:] = np.cumprod(rows[..., :-1], axis=-1)
    after[..., :-1] = np.cumprod(rows[..., :0:-1], axis=-1)[..., ::-1]
    return np.where(own, 0, before * after)


def _times(matrix, vector):
    return (matrix @ vector[..., None])[..., 0]


def _plus_diagonal(matrix, values):
    return matrix + values[..., None] * np.eye(values.shape[-1], dtype=values.dtype)


def as_index(index):
    """What picks an item of an array: an integer, no float.

    >>> as_index(2)
    2
    """
    if isinstance(index, (float, complex, np.inexact)):
        raise IndexError('only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays '
                         'are valid indices')
    return index


def as_items(values, dtype):
    """`values`, each of them a number alone, as the integers that an array of `dtype` holds; raises where it does not hold one.

    >>> as_items(np.array([2.7, -1.0]), np.int8)
    array([ 2, -1], dtype=int8)
    """
    return np.array(values.tolist(), dtype).reshape(values.shape)
