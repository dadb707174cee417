"""Of two results that differ, the judge excuses one that is as near to the truth as the other, and no other one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import transpiler as tp
from tests.fuzz.exact import exact
from tests.fuzz.oracle import apart, judge
from tests.fuzz.programs import Program

CHAOS = '''
import numpy as np
import scipy.special
TABLE = np.linspace(0.0, 1.0, 3)
def logistic(x, turns):
    for _ in range(turns):
        x = 3.9 * x * (1.0 - x)
    return x + TABLE[1] + scipy.special.erf(0.0)
'''


def chaos(turns: int) -> Program:
    return Program(CHAOS, (0.3, turns))


def test_long_doubles_are_exact_where_doubles_are_not():
    far, near = exact(chaos(55)), exact(chaos(1))
    assert far.dtype == near.dtype == np.longdouble and abs(near - (3.9 * 0.21 + 0.5)) < 1e-15
    x = Fraction(0.3)
    for _ in range(10):
        x = Fraction(3.9) * x * (1 - x)
    assert abs(exact(chaos(10)) - float(x) - 0.5) < 1e-14
    assert 1e-9 < abs(far - tp.from_source(CHAOS)(0.3, 55)) < 1e-3


@pytest.mark.parametrize('turns, share, kind', [(55, 0.9, 'vague'), (55, 6.0, 'value'), (5, 1.0, 'value')])
def test_what_is_as_near_is_excused(monkeypatch, turns, share, kind):
    """The value is planted: off by a share of the error that rounding makes of the primal, on the other side of the truth."""
    truth, own = exact(chaos(turns)), tp.from_source(CHAOS)(0.3, turns)
    error = max(abs(float(own - truth)), 1e-8)
    planted = float(truth) - np.copysign(share * error, own - truth)
    monkeypatch.setattr(tp, 'value_and_grad', lambda f, **options: lambda *args: (planted, 0.0))
    monkeypatch.setattr(tp, 'jit', lambda f: f)
    assert judge(chaos(turns), compiled=True).kind == kind
    assert apart(planted, own) > 1e-9


def test_libraries_of_doubles_give_long_doubles_and_keep_their_numbers():
    text = '''
import scipy.constants
import scipy.special
def f(x, k):
    return scipy.special.gammaln(x) * scipy.constants.pi, scipy.special.binom(k, 1)'''
    found, whole = exact(Program(text, (3.0, 4)))
    assert found.dtype == np.longdouble and abs(found - np.log(2.0) * np.pi) < 1e-14 and whole == 4


def test_where_long_doubles_fail_nothing_is_excused():
    text = 'import numpy as np\ndef f(x):\n    return np.linalg.det(x)'
    assert exact(Program(text, (np.eye(2),))) is None


@pytest.mark.parametrize('huge, kind', [(1e15, 'vague'), (1e6, 'value')])
def test_roundings_that_cancel_when_all_go_one_way_are_seen(monkeypatch, huge, kind):
    """The difference of two numbers is as it was when both are a rounding larger; the result is all chance where it is huge."""
    text = f"""
import numpy as np
def f(x):
    y = {huge!r} * (x[0] - x[1])
    return np.sin(y) + np.linalg.det(x[:, None] * x)
"""
    program = Program(text, (np.array([0.7, 0.6]),))
    planted = tp.from_source(text)(*program.args) + 1e-2
    monkeypatch.setattr(tp, 'value_and_grad', lambda f, **options: lambda *args: (planted, np.zeros(2)))
    monkeypatch.setattr(tp, 'jit', lambda f: f)
    assert judge(program, compiled=True).kind == kind


@pytest.mark.parametrize('huge, share, kind', [(1e15, 0.9, 'vague'), (1e15, 1.1, 'value'), (1e6, 0.9, 'value')])
def test_roundings_on_the_way_are_seen_where_those_of_arguments_do_not_show(monkeypatch, huge, share, kind):
    """What is added to the argument is so large that a rounding of the argument is nothing to it."""
    text = f'import numpy as np\ndef f(x):\n    y = {huge!r} * ((x + 40.0) * 1.1)\n    return np.sin(y)'
    program = Program(text, (0.3,))
    own = tp.from_source(text)(0.3)
    planted = own + share * max(abs(float(exact(program) - own)), 1e-2)
    monkeypatch.setattr(tp, 'value_and_grad', lambda f, **options: lambda *args: (planted, 0.0))
    monkeypatch.setattr(tp, 'jit', lambda f: f)
    assert judge(program, compiled=True).kind == kind


@pytest.mark.parametrize('huge, kind', [(1e13, 'vague'), (1e6, 'value')])
def test_roundings_of_globals_are_seen(monkeypatch, huge, kind):
    """Where the result depends on no argument they are all that rounding can change."""
    text = f"""
import numpy as np
SCALE = 0.7
def f(x):
    y = {huge!r} * SCALE
    return np.sin(y) + np.linalg.det(x * np.eye(2))
"""
    program = Program(text, (0.3,))
    planted = tp.from_source(text)(0.3) + 1e-4
    monkeypatch.setattr(tp, 'value_and_grad', lambda f, **options: lambda *args: (planted, 0.0))
    monkeypatch.setattr(tp, 'jit', lambda f: f)
    assert judge(program, compiled=True).kind == kind
