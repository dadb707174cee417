"""Products of vectors of small integers and of flags keep their type in a batch, and integers wrap around as alone."""
import enum

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

BESIDE = {
    'dot': lambda x: np.dot(x, 2.0), 'inner': lambda x: np.inner(3, x), 'of numbers': lambda x: np.dot(x[0], 2.0),
    'polyval': lambda x: np.polyval(x, 2.0), 'polyval of items': lambda x: np.polyval([x[0], x[1]], 2),
    'gradient': lambda x: np.gradient(x, [0.0, 1.0, 3.0]), 'trapezoid': np.trapezoid, 'steps': lambda x: np.trapezoid(x, dx=2),
    'widths': lambda x: np.trapezoid(x, x[::-1]), 'rows': lambda x: np.trapezoid(np.outer(x, x), x),
}


@pytest.mark.parametrize('dtype', ['float64', 'float32', 'uint8', 'int8'])
@pytest.mark.parametrize('name', BESIDE)
def test_numbers_of_python_beside_them(name, dtype):
    """NumPy makes its own numbers of 64 bits of them where it asks for arrays."""
    f, x = BESIDE[name], np.array([3, 100, 90]).astype(dtype)
    found, = tp.vmap(f)(x[None])
    assert found.dtype == f(x).dtype
    np.testing.assert_allclose(found, f(x), rtol=1e-6)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Gain(float, enum.Enum):
    HALF = 0.5


@pytest.mark.parametrize('member', [Level.HIGH, Gain.HALF])
def test_members_of_enumerations_are_no_examples(member):
    x = np.array([0.5, 0.7, 3.0])
    np.testing.assert_allclose(tp.vmap(lambda x, level: x * level, (0, None))(x, member), x * member.value)
    np.testing.assert_allclose(tp.vmap(lambda p: p['x'] * p['level'])({'x': x, 'level': member}), x * member.value)
    np.testing.assert_allclose(tp.vmap(tp.grad(lambda x, p: x * x * p[0]), (0, None))(x, (member, 2.0)), 2 * x * member.value)
