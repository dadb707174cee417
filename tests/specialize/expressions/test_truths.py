"""Tuples, lists, texts and None as sides of `and` and `or` whose other side shows at run time."""
import pytest

from tests.support import check


def named(x, n):
    k = 0.5
    if n == 3 and ((k := x),):
        return k * x
    return k - x * x


def a_list(x, n):
    kept = [x]
    return x * x if n == 3 and (kept or kept) else -x


def none_and_text(x, n):
    y = x if n == 3 or None else x * x
    return y * x if n != 4 and 'text' else y


def negated(x, n):
    if not (n == 3 and (x,)):
        return x * x
    return -x


def in_a_while(x, n):
    while n < 9 and [x]:
        n, x = n + 2, x * x
    return x * n


PROGRAMS = [named, a_list, none_and_text, negated, in_a_while]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_what_holds_beside_a_flag(mode, f):
    for n in (3, 4, 9):
        check(mode, f, 1.25, n)
