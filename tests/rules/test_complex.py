"""Every rule, with complex numbers in its examples, against differences in the plane: right, or refused."""
from __future__ import annotations

import numpy as np
import pytest

import tests.all_rules  # noqa: F401
import transpiler as tp
from tests.rules.cases import HEADER, module_from, smooth, spelled, written
from tests.rules.numeric import directional, float_leaves, is_complex, is_float, replaced, weights_for
from transpiler.errors import NotDifferentiable, TranspileError
from transpiler.rules.base.registry import RULES

NO_VALUES = ('numpy.empty_like', 'numpy.shape')      # what is in the first is anything; the second gives no array
CASES = [pytest.param(rule, k, id=f'{rule.name}-{k}') for rule in RULES.values()
         if smooth(rule) and rule.name not in NO_VALUES for k in range(len(rule.examples))]


def in_the_plane(value, rng):
    """The floats in a (nested sequence of) operands with an imaginary part."""
    if isinstance(value, (list, tuple)):
        return type(value)(in_the_plane(item, rng) for item in value)
    return value + 1j * rng.uniform(-0.5, 0.5, np.shape(value)) if is_float(value) else value


def example(rule, number, rng):
    """The example with complex numbers, and what NumPy makes of it; None where it refuses."""
    args, keywords = rule.examples[number].draw(rng, rule)
    args, keywords = replaced(args, keywords, in_the_plane(float_leaves(args, keywords), rng))
    args, keywords = in_the_plane(args, rng), {name: in_the_plane(value, rng) for name, value in keywords.items()}
    try:
        result = rule.primitive(*args, **keywords)
    except (TypeError, ValueError, AttributeError, RuntimeError):
        return None
    return args, keywords, [np.asarray(part) for part in (result if isinstance(result, (list, tuple)) else [result])]


def loss_of(rule, call, count, results, folder, number):
    """A module with `loss` of the arguments and the weights of the results."""
    names = [f'x{k}' for k in range(count)] + [f'w{k}' for k in range(len(results))]
    parts = ['y'] if len(results) == 1 else [f'y[{k}]' for k in range(len(results))]
    total = ' + '.join(f'np.sum(np.real(w{k} * {part}))' for k, part in enumerate(parts))
    text = f'{HEADER}\n\ndef loss(t, {", ".join(names)}):\n    y = {call}\n    return t * {total}\n'
    return module_from(text, folder / f'complex_{rule.name.replace(".", "_")}_{number}.py').loss


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize(('rule', 'number'), CASES)
def test_right_or_refused(rule, number, tmp_path):
    rng = np.random.default_rng(number)
    found = example(rule, number, rng)
    if found is None:
        return
    args, keywords, results = found
    given: list = []
    parts = [written(arg, given) for arg in args] + [f'{name}={written(value, given)}' for name, value in keywords.items()]
    loss = loss_of(rule, spelled(rule, parts), len(given), results, tmp_path, number)
    arguments = [1.0, *given, *weights_for([1.0 * result for result in results], rng)]
    argnums = tuple(k + 1 for k, value in enumerate(given) if is_float(value) or is_complex(value))
    try:
        value, bars = tp.value_and_grad(loss, argnums=(0, *argnums))(*arguments)
    except NotDifferentiable:
        value, bars = tp.value_and_grad(loss, argnums=(0,))(*arguments)
    except TranspileError:
        return
    np.testing.assert_allclose(value, loss(*arguments), rtol=1e-9, atol=1e-12)
    directions = {}
    for k, bar in zip(argnums, bars[1:]):
        point = arguments[k]
        direction = rng.normal(size=np.shape(point)) + (1j * rng.normal(size=np.shape(point)) if is_complex(point) else 0.0)
        at = lambda new, k=k: loss(*arguments[:k], new, *arguments[k + 1:])
        directions[k] = direction, directional(at, [point], [direction])
        assert np.shape(bar) == np.shape(point)
        np.testing.assert_allclose(np.real(np.sum(bar * direction)), directions[k][1], rtol=1e-5, atol=1e-7)
    if directions and all(is_float(a) or is_complex(a) for a in arguments[1:]):
        steps = [directions[k][0] if k in directions else 0.0 * np.asarray(a)[()] for k, a in enumerate(arguments)]
        _, slope = tp.jvp(loss, arguments, steps)
        np.testing.assert_allclose(slope, sum(s for _, s in directions.values()), rtol=1e-5, atol=1e-7)
