"""Python's `sum` starts at 0: of nothing but -0.0 it is 0.0."""
import numpy as np
import pytest

import transpiler as tp

ZEROS = np.array([-0.0, -0.0])


def listed(x):
    return sum([x[0], x[1]])


def generated(x):
    return sum(v for v in (x[0], x[1]))


def values(x):
    return sum({'a': x[0], 'b': x[1]}.values())


def arrays(x):
    return sum([x, x])[0]


def started(x):
    return sum([x[0], x[1]], x[0])


@pytest.mark.parametrize('f', [listed, generated, values, arrays, started])
def test_the_sign_of_zero(mode, f):
    found = mode(tp.value_and_grad(f))(ZEROS)[0], tp.vmap(f)(ZEROS[None])[0], tp.jvp(f, (ZEROS,), (ZEROS,))[0]
    assert {bool(np.signbit(value)) for value in found} == {bool(np.signbit(f(ZEROS)))}


def test_integers_need_no_zero():
    assert '0 +' not in tp.jit(lambda k: sum([k[0], k[1]])).lower(np.array([1, 2])).source
