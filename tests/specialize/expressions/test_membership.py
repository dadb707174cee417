"""`in`: a text or bytes are asked for a part, everything else for an item, and what Python does not look into raises."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check_raises

X = np.array([1.25, 2.5, -3.75, 0.5])


def names_in_a_loop(x):
    s = 0.0
    for name in ('weight_a', 'bias', 'b_weight'):
        if 'weight' in name:
            s = s + x[0]
        if 'weight' not in name:
            s = s - 2 * x[1]
    return s


def members_of_others(x):
    return x[0] * (25 in range(10 ** 12)) + x[1] * (2.5 in range(5)) + x[2] * ('a' in ['abc']) + x[3] * ('ab' in {'ab': 1})


PROGRAMS = {
    'in a loop': names_in_a_loop,
    'others': members_of_others,
    'no text': lambda x: x[0] * ('' in 'abc'),
    'digits': lambda x: x[0] * ('12' in str(123)),
    'dtype': lambda x: x[0] * ('float' in str(x.dtype)),
    'gap': lambda x: x[0] * ('ac' not in 'abc'),
    'bytes': lambda x: x[0] * (b'ab' in b'abc') + x[1] * (97 in b'ab') + x[2] * (x.size in b'\x04'),
    'chain': lambda x: x[0] * ('ab' in 'abc' in ['abc']),
}


@pytest.mark.parametrize('f', PROGRAMS.values(), ids=PROGRAMS)
def test_a_text_is_in_another_if_it_is_a_part_of_it(mode, f):
    assert mode(tp.jvp(f))(X, x_dot=np.ones(4))[0] == f(X)


RAISING = {
    'int': lambda x: x[0] * (1 in 'abc'),
    'item': lambda x: x[0] * (x[0] in 'abc'),
    'tuple': lambda x: x[0] * ((x, x) in 'abc'),
    'of a number': lambda x: x[0] * (1 in 5),
}


@pytest.mark.parametrize('f', RAISING.values(), ids=RAISING)
def test_what_raises_raises(f):
    check_raises(TypeError, f, X)
