"""Programs that are wrong, each in a way of its own, and what is said of them: the line, and what is the matter there."""
import copy
import pickle

import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 0.75, 1.0])
OUTPUTS = {
    'y = np.sum(x)': '`program` returns None',
    "return 'text'": "it is the str 'text'",
    'return np.sum(x), 2.0': 'it is a tuple of 2',
    'return [np.sum(x)]': 'it is a list of 1',
    "return {'a': np.sum(x)}": 'it is a dict of 1',
    'return x * 2.0': 'it is float64[n]',
    'return np.sum(x) > 0.0': 'it is bool',
    'return Odd()': 'it is an object of the class `Odd`',
}
WRONG = {
    'for i in 3:\n        x = x * i': 'a loop over the int 3 is not supported',
    'x.note = 3': 'a write to the attribute `note` of a run-time value',
    'x = THREE(x)': 'cannot be called',
    'x = x + "a"': "the str 'a' stands where a number or an array is needed",
    'x = nope(x)': 'the name `nope` is not defined',
    'x = np.summ(x)': '`numpy` has no attribute `summ`',
    'x = x.summ()': 'arrays have no supported attribute `summ`',
    'x = np.sum(x, bogus=1)': "got an unexpected keyword argument 'bogus'",
    'x = helper(x, x)': '`helper` takes 1 positional arguments but 2 are given',
    'x = helper()': '`helper` is missing the argument `y`',
    'a, b = np.sum(x)': 'cannot be unpacked',
    'x = np.sum[x]': 'the function `sum` cannot be indexed',
    'x = x["a"]': "the str 'a' is no index",
    'print(x[0], sep=3)': '`sep` of `print` is the int 3',
    'with helper(x):\n        pass': '`with` is not supported',
    'global k\n    k = 3': '`global` is not supported',
    'class A:\n        pass': 'a class definition inside a function is not supported',
}
RAISED = {
    'for i in range(2.0):\n        x = x * i': TypeError("'float' object cannot be interpreted as an integer"),
    'for i in range(x[0]):\n        x = x * i': TypeError("'numpy.float64' object cannot be interpreted as an integer"),
    'x = x[:x[0]]': TypeError('slice indices must be integers or None or have an __index__ method'),
    'x = x[x[0]]': IndexError('only integers, slices (`:`), ellipsis (`...`)'),
    'x = np.ones(x[0]) * x': TypeError(),
    'a, b = x[0], x[1], x[2]': ValueError('too many values to unpack (expected 2)'),
    'x = {"a": x}["b"]': KeyError('b'),
    'x = x * 0**-1': ZeroDivisionError('0.0 cannot be raised to a negative power'),
    'x = max([])': ValueError('max() '),
    'x = None * x': TypeError(),
    'y = None\n    x = x + y[0]': TypeError("'NoneType' object is not subscriptable"),
}
TEXT = '''import numpy as np; THREE = 3


class Odd:
    def __init__(self):
        self.value = 1.0


def helper(y):
    return y * 2.0


def program(x):
    {}
'''
MODES = {
    'grad': lambda f: tp.grad(f)(X),
    'jvp': lambda f: tp.jvp(f, (X,), (X,)),
    'vmap': lambda f: tp.vmap(f)(np.ones((2, 3))),
    'hessian': lambda f: tp.hessian(f)(X),
    'jit': lambda f: tp.jit(f)(X),
}


@pytest.mark.parametrize('line', OUTPUTS)
def test_results_that_have_no_gradient(line):
    with pytest.raises(tp.errors.NotDifferentiable) as caught:
        tp.grad(tp.from_source(TEXT.format(line)))(X)
    message = str(caught.value)
    assert f'why: {OUTPUTS[line]}' in message and (line in message or 'def program' in message)


@pytest.mark.parametrize('line', WRONG)
@pytest.mark.parametrize('mode', MODES)
def test_the_line_and_what_is_the_matter(mode, line):
    program = tp.from_source(TEXT.format(f'{line}\n    return np.sum(x)'))
    with pytest.raises(tp.TranspileError) as caught:
        MODES[mode](program)
    message = str(caught.value)
    assert WRONG[line] in message and caught.value.origin.line == 14 and '^' in message


@pytest.mark.parametrize('line', RAISED)
@pytest.mark.parametrize('mode', MODES)
def test_what_python_raises_for_certain(mode, line):
    program = tp.from_source(TEXT.format(f'{line}\n    return np.sum(x)'))
    with pytest.raises(type(RAISED[line])) as caught:
        MODES[mode](program)
    assert str(caught.value).startswith(str(RAISED[line]))


@pytest.mark.parametrize('point', [3, True, np.arange(3), np.array([True, False]), [1, 2], {'n': 3}], ids=repr)
def test_integers_are_named_before_the_output_that_they_make(point):
    program = tp.from_source('import numpy as np\n\n\ndef total(x):\n    return np.sum(x["n"] if isinstance(x, dict) else x)\n')
    with pytest.raises(TypeError, match='`x` is (int|bool).*; derivatives are taken with respect to floats'):
        tp.grad(program)(point)


@pytest.mark.parametrize(('line', 'tangent'), [
    ('return None', None), ("return 'text'", None), ('return 3', 0.0), ('return x[0] > 0.0', None)])
def test_results_without_floats_have_no_tangent(line, tangent):
    program = tp.from_source(TEXT.format(line))
    assert tp.linearize(program, X)[1](X) == tangent == tp.jvp(program, (X,), (X,))[1]
    np.testing.assert_array_equal(tp.vjp(program, X)[1](None)[0], np.zeros_like(X))


@pytest.mark.parametrize('value', [{1.0}, slice(3), memoryview(bytearray(2))], ids=lambda value: type(value).__name__)
def test_arguments_that_cannot_be_hashed(value):
    for transform in (tp.grad, tp.jit):
        with pytest.raises(tp.TranspileError, match=f'an argument of type `{type(value).__name__}` is not supported'):
            transform(np.sum)(value)


def test_what_is_lowered_is_copied_but_not_pickled():
    lowered = tp.grad(tp.from_source('def square(x):\n    return x * x\n')).lower(2.0)
    assert copy.copy(lowered) is copy.deepcopy(lowered) is lowered
    with pytest.raises(TypeError, match='cannot pickle what is generated for `square`: send its `.source`'):
        pickle.dumps(lowered)
