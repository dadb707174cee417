"""Products of vectors of small integers and of flags keep their type in a batch, and integers wrap around as alone."""
import numpy as np
import pytest

import transpiler as tp

PRODUCTS = {
    '@': lambda a, b: a @ b, 'dot': np.dot, 'inner': np.inner, 'vdot': np.vdot, 'vecdot': np.vecdot,
    'einsum': lambda a, b: np.einsum('i,i', a, b), 'tensordot': lambda a, b: np.tensordot(a, b, 1),
    'of rows': lambda a, b: np.vecdot(a * np.ones((2, 1), a.dtype), b),
}


@pytest.mark.parametrize('dtype', ['uint8', 'int8', 'int16', 'uint32', 'bool', 'int64', 'float32'])
@pytest.mark.parametrize('name', PRODUCTS)
def test_products_of_vectors(name, dtype):
    f = PRODUCTS[name]
    a, b = np.array([[100, 27, 3, 90], [0, 0, 1, 0]]).astype(dtype), np.array([100, 27, 3, 91]).astype(dtype)
    for axes, args in (((0, 0), (a, a)), ((0, None), (a, b)), ((None, 0), (b, a))):
        found = tp.vmap(f, axes)(*args)
        expected = [f(*(x if axis is None else x[k] for x, axis in zip(args, axes, strict=True))) for k in range(2)]
        assert found.dtype == expected[0].dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize('dtype', ['uint8', 'bool'])
def test_compiled(dtype):
    a = np.array([[100, 27, 3, 90], [0, 0, 1, 0]]).astype(dtype)
    found = tp.jit(tp.vmap(lambda a: (a @ a, np.vecdot(a, a))))(a)
    for part in found:
        assert part.dtype == a.dtype
        np.testing.assert_array_equal(part, [a[0] @ a[0], a[1] @ a[1]])
