"""Kinks, singular points, infinities, NaN, empty arrays and size 1: what the rules themselves give there,
by JAX's conventions."""
import numpy as np
import pytest

import transpiler as tp
import transpiler.rules  # noqa: F401  (fills the registry)
from tests.rules.numeric import leaves, pullback, split_leaves
from transpiler.rules.base.registry import RULES

INF, NAN = np.inf, np.nan
pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')


def slopes(name, *args, **keywords):
    """The cotangents of the float operands, as lists, for a cotangent of ones."""
    rule = RULES[name]
    args = tuple(np.array(a, float) if isinstance(a, list) else np.float64(a) if isinstance(a, float) else a for a in args)
    ans = rule.primitive(*args, **keywords)
    bars = pullback(rule, args, keywords, ans, np.ones_like(ans))
    return [None if bar is None else np.asarray(bar).tolist() for bar in split_leaves(rule.bind(args, keywords)[0], bars)]


TABLE = [
    ('numpy.absolute', (0.0,), [1.0]), ('numpy.absolute', (-2.0,), [-1.0]), ('numpy.sqrt', (0.0,), [INF]),
    ('numpy.cbrt', (0.0,), [INF]), ('numpy.log', (0.0,), [INF]), ('numpy.log1p', (-1.0,), [INF]),
    ('numpy.reciprocal', (0.0,), [-INF]), ('numpy.arcsin', (1.0,), [INF]), ('numpy.arccosh', (1.0,), [INF]),
    ('numpy.arctanh', (1.0,), [INF]), ('numpy.tanh', (INF,), [0.0]), ('numpy.exp', (-INF,), [0.0]),
    ('numpy.maximum', (1.0, 1.0), [0.5, 0.5]), ('numpy.minimum', (1.0, 1.0), [0.5, 0.5]),
    ('numpy.maximum', (2.0, 1.0), [1.0, 0.0]), ('numpy.maximum', (INF, INF), [0.5, 0.5]),
    ('numpy.maximum', (NAN, 1.0), [0.0, 0.0]), ('numpy.fmax', (1.0, 1.0), [0.0, 1.0]), ('numpy.fmax', (NAN, 1.0), [0.0, 1.0]),
    ('numpy.fmax', (1.0, NAN), [1.0, 0.0]), ('numpy.fmin', (1.0, 1.0), [0.0, 1.0]), ('numpy.power', (0.0, 2.0), [0.0, 0.0]),
    ('numpy.power', (0.0, 0.0), [0.0, 0.0]), ('numpy.power', (0.0, 1.0), [1.0, 0.0]), ('numpy.power', (0.0, 0.5), [INF, 0.0]),
    ('numpy.power', (-2.0, 3.0), [12.0, NAN]), ('numpy.power', ([0.0, -3.0], 2), [[0.0, -6.0]]),
    ('numpy.power', ([0.0, 2.0], 0), [[0.0, 0.0]]), ('numpy.power', ([0.0], 1), [[1.0]]),
    ('numpy.hypot', (0.0, 0.0), [0.5, 0.5]), ('numpy.arctan2', (0.0, 0.0), [NAN, NAN]),
    ('numpy.remainder', (6.0, 3.0), [1.0, -2.0]), ('numpy.remainder', (-5.0, 3.0), [1.0, 2.0]),
    ('numpy.fmod', (-5.0, 3.0), [1.0, 1.0]), ('numpy.copysign', (-2.0, 3.0), [-1.0, None]),
    ('numpy.heaviside', (0.0, 0.5), [None, 1.0]), ('numpy.nan_to_num', ([NAN, INF, 1.0],), [[0.0, 0.0, 1.0]]),
    ('numpy.logaddexp', (-INF, 0.0), [0.0, 1.0]), ('numpy.logaddexp', (INF, 0.0), [1.0, 0.0]),
    ('numpy.logaddexp', (-INF, -INF), [0.5, 0.5]), ('numpy.logaddexp2', (2.0, INF), [0.0, 1.0]),
    ('numpy.copysign', (-0.0, 1.0), [1.0, None]),
    ('numpy.where', ([True, False], [1.0, INF], [NAN, 2.0]), [None, [1.0, 0.0], [0.0, 1.0]]),
    ('numpy.max', ([1.0, 2.0, 2.0],), [[0.0, 0.5, 0.5]]), ('numpy.min', ([1.0, 1.0, 1.0],), [[1 / 3, 1 / 3, 1 / 3]]),
    ('numpy.max', ([1.0, NAN],), [[NAN, NAN]]), ('numpy.prod', ([0.0, 2.0, 3.0],), [[6.0, 0.0, 0.0]]),
    ('numpy.prod', ([0.0, 0.0, 3.0],), [[0.0, 0.0, 0.0]]), ('numpy.cumprod', ([0.0, 2.0, 3.0],), [[9.0, 0.0, 0.0]]),
    ('numpy.sort', ([1.0, 1.0, 0.0],), [[1.0, 1.0, 1.0]]), ('numpy.sum', ([INF, NAN],), [[1.0, 1.0]]),
    ('numpy.imag', ([INF, NAN],), [[0.0, 0.0]]),
]


def test_the_angle_of_real_numbers_has_no_slope_at_infinity():
    def total(x):
        return np.sum(np.angle(x))
    np.testing.assert_array_equal(tp.grad(total)(np.array([1.0, INF, -INF])), 0.0)


@pytest.mark.parametrize(('name', 'args', 'expected'), TABLE, ids=lambda value: value if isinstance(value, str) else str(value))
def test_table(name, args, expected):
    found = slopes(name, *args)
    if name == 'numpy.where':
        found = [None, *found[-2:]]
    for left, right in zip(found, expected, strict=True):
        assert (left is None) == (right is None)
        if right is not None:
            np.testing.assert_allclose(left, right, rtol=1e-12)


ELEMENTWISE = [rule for rule in RULES.values() if rule.kind == 'elementwise' and rule.name not in ('numpy.ldexp', 'numpy.where')]


@pytest.mark.parametrize('rule', ELEMENTWISE, ids=lambda rule: rule.name)
@pytest.mark.parametrize('values', [[], [0.5], [0.0, -0.0, INF, -INF, NAN]], ids=['empty', 'one', 'odd'])
def test_shapes_hold_at_special_values(rule, values):
    args = (np.array(values),) * len(rule.operands)
    ans = rule.primitive(*args)
    for bar in pullback(rule, args, {}, ans, np.ones_like(ans)):
        assert bar is None or (bar.shape == args[0].shape and bar.dtype == np.float64)


REDUCED = ['sum', 'mean', 'prod', 'cumsum', 'cumprod', 'sort', 'ravel', 'flip', 'transpose']


@pytest.mark.parametrize('name', REDUCED)
@pytest.mark.parametrize('shape', [(0,), (1,), (0, 3), (1, 1)])
def test_empty_and_single(name, shape):
    rule, x = RULES[f'numpy.{name}'], np.full(shape, 0.5)
    ans = rule.primitive(x)
    (bar,) = pullback(rule, (x,), {}, ans, np.ones_like(ans))
    assert bar.shape == shape


@pytest.mark.parametrize('shapes', [((3, 1), (1, 4)), ((1,), (5,)), ((), (3,)), ((1, 1), (1, 1)), ((0, 1), (3,)), ((2, 0), (1,
                         1))])
@pytest.mark.parametrize('name', ['add', 'multiply', 'maximum', 'where'])
def test_broadcasting(name, shapes):
    """Each operand's cotangent has its shape: exactly the broadcast axes are summed."""
    rule = RULES[f'numpy.{name}']
    args = tuple(np.full(shape, 0.5) for shape in shapes)
    args = (np.ones(shapes[0], bool), *args) if name == 'where' else args
    ans = rule.primitive(*args)
    bars = split_leaves(args, pullback(rule, args, {}, ans, np.ones_like(ans)))
    for bar, leaf in zip(bars, leaves(args), strict=True):
        assert bar.shape == leaf.shape
        if name == 'add':
            assert np.all(bar == (ans.size / leaf.size if leaf.size else 0))


@pytest.mark.parametrize('text', ['np.logaddexp(0.0, x)', 'np.logaddexp(x, 0)'])
def test_the_slope_of_softplus_is_the_logistic_function(text):
    """Only infinities may be equal and no distance apart, which a number known to be finite is not."""
    g = tp.grad(tp.from_source(f'import numpy as np\ndef f(x):\n    return np.sum({text})\n'))
    np.testing.assert_array_equal(g(np.array([-np.inf, 0.0, np.inf])), [0.0, 0.5, 1.0])
    assert 'x_bar = scipy.special.expit(x)' in g.source
