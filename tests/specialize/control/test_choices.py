"""Lists that get longer or shorter inside conditional expressions, `and`, `or` and chained comparisons."""
import numpy as np
import pytest

from tests.support import check


def noted(x):
    kept = []

    def note(v):
        kept.append(v)
        return v

    a = note(x[0]) if x[0] > 2.0 else 1.0
    return sum(kept) * a


def taken(x):
    kept = [x[0] * x[1]]
    y = kept.pop() if x[0] > 2.0 else x[1]
    return y * y + len(kept)


def in_a_chain(x):
    kept = []

    def note(v):
        kept.append(v)
        return v

    between = 0.0 < note(x[0]) < note(x[1])
    return sum(kept) * x[0] + len(kept) + between


def in_and_and_or(x):
    kept = []

    def note(v):
        kept.append(v * v)
        return v

    a = note(x[0]) or note(x[1])
    b = note(x[1]) and note(x[0]) and note(x[2])
    return sum(kept) * a + b + len(kept)


def beside_the_list(x):
    kept = [x[1]]

    def note(v):
        kept.append(v)
        return v

    both = (kept, note(x[0]) if x[0] > 2.0 else note(x[1]) if x[2] > 0.0 else 3.0)
    return sum(both[0]) * both[1] + sum(kept)


def in_a_loop(x):
    kept = []
    for v in x:
        v > 1.0 and kept.append(v * v)
        y = kept.pop() if len(kept) > 1 else v
    return sum(kept) * y


PROGRAMS = [noted, taken, in_a_chain, in_and_and_or, beside_the_list, in_a_loop]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_lists_change_inside_expressions(mode, f):
    for x in ([3.0, 1.5, 0.5], [1.5, 3.0, -0.5], [-1.0, 2.5, 1.5]):
        check(mode, f, np.array(x))
