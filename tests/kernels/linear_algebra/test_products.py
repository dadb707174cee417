"""Matrix products of every dtype and layout, empty ones included."""
import numpy as np
import pytest
from numba import njit

import transpiler as tp
from transpiler_kernels.linear_algebra import blas
from transpiler_kernels.linear_algebra.gram import gram
from transpiler_kernels.linear_algebra.products import matrix_product, stacked_product


@njit
def product(a, b):
    return matrix_product(a, b)


@njit
def product_with_itself(a):
    return gram(a)


def arrays(dtype, *shapes):
    rng = np.random.default_rng(0)
    return [rng.integers(-5, 5, size=shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize('dtype', ['float64', 'float32', 'int64', 'complex128'])
@pytest.mark.parametrize('shapes', [((3, 4), (4, 2)), ((3, 4), (4,)), ((4,), (4, 2)), ((4,), (4,))], ids=str)
def test_ranks_and_dtypes(dtype, shapes):
    a, b = arrays(dtype, *shapes)
    got = product(a, b)
    np.testing.assert_allclose(got, a @ b)
    assert not isinstance(got, np.ndarray) or got.dtype == a.dtype


def test_layouts_and_nothing():
    a, b = arrays('float64', (6, 4), (4, 6))
    np.testing.assert_allclose(product(a[::2], b.T[:4].T), a[::2] @ b.T[:4].T)
    np.testing.assert_allclose(product(a.T, b.T), a.T @ b.T)
    np.testing.assert_array_equal(product(a[:, :0], b[:0]), np.zeros((6, 6)))
    assert product(a[:0], b).shape == (0, 6)


@pytest.mark.parametrize('dtype', ['float64', 'int64'])
def test_sizes_that_do_not_match(dtype):
    a, b = arrays(dtype, (2, 3), (4, 2))
    with pytest.raises(ValueError):
        product(a, b)
    with pytest.raises(ValueError):
        stacked_product(a[None], np.stack([b, b]))


@pytest.mark.parametrize('dtype', ['float64', 'float32'])
@pytest.mark.parametrize('shape', [(3, 5), (130, 70), (70, 130), (1, 4), (4, 1), (4, 0), (0, 4)], ids=str)
def test_a_matrix_and_its_own_transpose(dtype, shape):
    """In every layout; what both forms of a product give is the same, of whole numbers."""
    a, = arrays(dtype, shape)
    for x in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
        found = product_with_itself(x)
        np.testing.assert_array_equal(found, a @ a.T)
        np.testing.assert_array_equal(product_with_itself(x.T), a.T @ a)
        np.testing.assert_array_equal(product(x, x.T), found)
        assert found.dtype == a.dtype


def test_what_only_looks_like_a_transpose():
    a, b = arrays('float64', (4, 4), (4, 4))
    np.testing.assert_array_equal(product(a, b.T), a @ b.T)
    square = a[:3, :3].copy()
    np.testing.assert_array_equal(product(square, square.T.copy(order='F')), square @ square.T)
    np.testing.assert_array_equal(product(a[:3], a[:3].T), a[:3] @ a[:3].T)
    np.testing.assert_array_equal(product(a[:3], a.T[:, 1:]), a[:3] @ a.T[:, 1:])


def outer_products(x):
    return x.T @ x, np.dot(x, x.T), (x + 1.0) @ (x + 1.0).T


def test_which_products_are_of_a_matrix_and_its_own_transpose():
    """What is written so; the same values in two arrays, and complex ones, are products like any others."""
    a, b = arrays('float64', (3, 4), (3, 4))
    compiled = tp.jit(outer_products)
    assert compiled.lower(a).loops.count(' gram(') == 3
    for found, expected in zip(compiled(a), outer_products(a), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert 'gram' not in tp.jit(lambda x, y: x @ y.T).lower(a, b).loops
    assert 'gram' not in tp.jit(lambda x: x @ x.T).lower(a + 0j).loops


@pytest.mark.parametrize('shapes', [((3, 0), (1, 4)), ((3, 0), (2,)), ((0,), (1, 4)), ((0,), (2,))], ids=str)
def test_nothing_fits_nothing_only(shapes):
    with pytest.raises(ValueError):
        product(*arrays('float64', *shapes))


@pytest.mark.parametrize('dtype', ['float64', 'float32'])
@pytest.mark.parametrize('size', [0, 1, 3, 4, 7, 1001])
@pytest.mark.parametrize('steps', [(1, 1), (2, 1), (1, -1), (3, 2), (0, 1)], ids=str)
def test_vectors_in_every_layout(dtype, size, steps):
    rng = np.random.default_rng(size)
    a, b = (rng.normal(size=max(1, size * abs(step))).astype(dtype) for step in steps)
    strided = np.lib.stride_tricks.as_strided
    a, b = (strided(x if step > 0 else x[::-1], (size,), (x.itemsize * step,)) if step >= 0 else x[:size][::-1]
            for x, step in zip((a, b), steps))
    np.testing.assert_allclose(product(a, b), np.sum(a * b), rtol=1e-4 if dtype == 'float32' else 1e-12, atol=1e-5)


@pytest.mark.parametrize('dtype', ['float64', 'float32', 'complex128', 'complex64'])
@pytest.mark.parametrize('shapes', [((3, 4), (4, 2)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 0), (0, 2)), ((3, 0), (0,))], ids=str)
def test_every_layout_of_what_blas_takes(dtype, shapes):
    one, other = arrays(dtype, *shapes)
    for a in laid_out(one):
        for b in laid_out(other):
            found = product(a, b)
            np.testing.assert_allclose(found, one @ other)
            assert found.dtype == dtype and found.flags.c_contiguous


def laid_out(x):
    """The same items row by row, column by column, and apart."""
    wide = np.zeros(tuple(2 * size for size in x.shape), x.dtype)
    apart = wide[tuple(slice(None, None, 2) for _ in x.shape)]
    apart[...] = x
    return x, np.asfortranarray(x), apart


@njit
def product_of(n, a, b):
    blas.call('gemv', (blas.NO, n, 1, 1.0, a, 1, b, 1, 0.0, b, 1))


def test_more_than_blas_can_count():
    a, b = arrays('float64', (1, 1), (1,))
    product_of(1, a, b)
    for n in (2 ** 31, 2 ** 32 + 1):
        with pytest.raises(OverflowError):
            product_of(n, a, b)
    with pytest.raises(ValueError):
        product_of(1, a, b.astype(np.float32))
