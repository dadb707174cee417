"""Every kernel of the collection at its small size: value and gradient, as Python and compiled."""
import numpy as np
import optree
import pytest

import transpiler as tp
from benchmarks.kernels import KERNELS
from tests.benchmarks.slopes import slope
from tests.support import copied, same

DIRECTIONS = 2


each = pytest.mark.parametrize('kernel', KERNELS.values(), ids=KERNELS)


def transformed(kernel):
    return tp.value_and_grad(kernel.function, argnums=kernel.argnums)


@each
def test_gradient(kernel):
    args = kernel.at(kernel.small)
    before = copied(args)
    value, gradient = transformed(kernel)(*args)
    same(args, before, rtol=0, atol=0)
    np.testing.assert_allclose(value, kernel.function(*copied(args)), rtol=1e-10)
    rng = np.random.default_rng(1)
    for _ in range(DIRECTIONS):
        direction = optree.tree_map(lambda leaf: rng.normal(size=np.shape(leaf)), gradient)
        error, expected = slope(kernel.function, args, kernel.argnums, direction)
        found = sum(np.sum(leaf * step) for leaf, step in zip(optree.tree_leaves(gradient), optree.tree_leaves(direction)))
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8 + 3 * error)


@pytest.mark.compiles
@each
def test_compiled(kernel):
    args = kernel.at(kernel.small)
    before = copied(args)
    value, gradient = tp.jit(transformed(kernel))(*args)
    same(args, before, rtol=0, atol=0)
    expected, plain = transformed(kernel)(*args)
    np.testing.assert_allclose([value, tp.jit(kernel.function)(*copied(args))], expected, rtol=1e-10)
    same(gradient, plain, rtol=1e-9, atol=1e-11)
