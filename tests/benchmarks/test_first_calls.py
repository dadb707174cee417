"""The programs whose first calls are timed: their derivatives as plain Python, and what is said of a measurement."""
import math

import numpy as np
import optree
import pytest

import transpiler as tp
from benchmarks.first_calls import PROGRAMS, __main__, measuring
from benchmarks.first_calls.record import Program, derivative, lines
from tests.benchmarks.slopes import slope
from tests.support import copied, direction

each = pytest.mark.parametrize('program', PROGRAMS.values(), ids=PROGRAMS)


def in_double(args):
    return optree.tree_map(lambda leaf: leaf.astype(float) if getattr(leaf, 'dtype', None) == np.float32 else leaf, args)


@pytest.mark.compiles       # making some of these derivatives takes as long
@each
def test_derivative(program):
    args = in_double(program.given())
    found, directions = derivative(program)(*copied(args)), tuple(direction(args[number]) for number in program.argnums)
    if program.hessian:
        function, found = tp.grad(program.function, argnums=program.argnums[0]), np.ravel(found @ directions[0])
    else:
        function, (value, gradient) = program.function, found
        np.testing.assert_allclose(value, program.function(*copied(args)), rtol=1e-10)
        found = sum(np.sum(leaf * step) for leaf, step in zip(optree.tree_leaves(gradient), optree.tree_leaves(directions)))
    for k, item in enumerate(np.ravel(found)):
        error, expected = slope(lambda *moved, k=k: np.ravel(function(*moved))[k], args, program.argnums, directions)
        np.testing.assert_allclose(item, expected, rtol=1e-6, atol=1e-8 + 3 * error)


def doubled(x):
    """Two lines.

    And one."""
    return 2.0 * x


def half(x):
    return doubled(x) / 4.0


def test_lines_are_those_of_all_functions_that_are_called():
    assert lines(Program(half, lambda rng: (1.0,))) == 6


def test_processes_are_measured():
    found = measuring.measure('pendulum', jax=False, second=False)
    assert set(found) == {'plain', 'first'} and not __main__.faults(found)
    assert found['first']['cpu'] > found['plain']['plain'] > 0 and found['plain']['lines'] == 5


def test_faults_are_told():
    found = {'first': {'checksum': 1.0}, 'second': {'checksum': 1.0 + 1e-9}, 'jax': {'checksum': 1.1}, 'plain': 'no answer'}
    assert __main__.faults(found) == ['plain: no answer', 'jax: another result']
    assert math.isnan(__main__.cells(found, ['plain'])[0])


def test_columns_are_summed_up():
    assert __main__.summary([[1.0, math.nan], [3.0, math.nan], [2.0, 4.0]], 'total') == [6.0, 4.0]
    assert __main__.summary([[1.0, math.nan], [3.0, math.nan], [2.0, 4.0]], 'median') == [2.0, 4.0]
