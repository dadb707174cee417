"""The rules' examples forward: tangents against finite differences, forward over reverse, and single precision."""
import numpy as np
import pytest

import transpiler as tp
from tests.rules.numeric import agrees, directional, second_difference
from tests.rules.test_compiled import CASES, ROUNDS, SECOND, each, module, prepared  # noqa: F401  (a fixture)

# the result is float64 whatever array goes in
WIDENS = ('numpy.float_power', 'scipy.special.gammainc', 'scipy.special.gammaincc', 'scipy.special.polygamma')
# in double precision, or in that of other arguments (`math.trunc` not at all), where that of the arrays is kept here
OF_THEIR_OWN = ('scipy.stats.', 'scipy.linalg.det', 'scipy.integrate.simpson', 'numpy.interp', 'numpy.histogram', 'math.trunc')


def parts(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def weighted(case, results):
    """What has no tangent does not change."""
    return sum(0.0 if r is None else np.sum(np.real(w * r)) for w, r in zip(case.weights, parts(results), strict=True))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each(CASES)
def test_tangent(case, module):  # noqa: F811
    """The tangent of the result, in its shape, along a direction; by one operand too, while others have none."""
    _, primal, point, directions = prepared(case, module)
    dtype = np.float32 if case.rule.name in ROUNDS and case.number == 1 else np.float64
    for wanted in {case.floats, case.floats[case.number % len(case.floats):][:1]}:
        moved = [d if k in wanted else 0 * d for k, d in zip(case.floats, directions, strict=True)]
        out, dot = tp.jvp(module.result, argnums=wanted)(*case.arguments, *(directions[case.floats.index(k)] for k in wanted))
        assert agrees(weighted(case, dot), directional(primal, point, moved), dtype)
        for whole, tangent in zip(parts(out), parts(dot), strict=True):
            assert tangent is None or np.shape(tangent) == np.shape(whole)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each(SECOND)
def test_forward_over_reverse(case, module):  # noqa: F811
    _, primal, point, directions = prepared(case, module)
    arguments = (*case.arguments, *case.weights, *directions)
    _, dot = tp.jvp(module.slope, argnums=case.floats)(*arguments, *directions)
    expected = second_difference(primal, point, directions)
    assert abs(dot - expected) <= 1e-6 * (1 + abs(expected))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each([case for case in CASES if case.rule.name not in (*ROUNDS, *WIDENS) and case.number == len(case.rule.examples) // 2])
def test_single_precision_stays(case, module):  # noqa: F811
    _, primal, point, directions = prepared(case, module)
    arguments = [x.astype(np.float32) if k in case.floats else x for k, x in enumerate(case.arguments)]
    moved = [d.astype(np.float32) for d in directions]
    out, dot = tp.jvp(module.result, argnums=case.floats)(*arguments, *moved)
    numpys = out if case.rule.name.startswith(OF_THEIR_OWN) else module.result(*arguments)
    for whole, own, tangent in zip(parts(out), parts(numpys), parts(dot), strict=True):
        assert np.asarray(whole).dtype == np.asarray(own).dtype
        assert tangent is None or np.asarray(tangent).dtype == np.asarray(whole).dtype
    assert abs(weighted(case, dot) - directional(primal, point, directions)) <= 1e-2 * (1 + abs(weighted(case, dot)))
