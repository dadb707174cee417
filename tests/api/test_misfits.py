"""Arguments that do not fit are refused before anything runs: as in JAX by TypeError and ValueError, in our words."""
import inspect
import logging
import statistics

import numpy as np
import pytest

import transpiler as tp
from transpiler.arguments.asked import FIXED
from transpiler.arguments.kinds import DATA, OPTIONS, flag

X = np.ones(3)
LOG = logging.getLogger(__name__)


def times(x, y):
    return x * y


def square(x):
    return x * x


def pair(x):
    return x, {'a': x * x}


def count(x, *rest):
    return x * len(rest)


MAKERS = (tp.grad, tp.value_and_grad, tp.jacfwd, tp.jacrev, tp.jacobian, tp.hessian, tp.jvp)
TAKERS = (*MAKERS, tp.vmap, tp.jit, tp.checkpoint, tp.custom_vjp, tp.custom_jvp, tp.primitive, tp.explain)


@pytest.mark.parametrize('public', TAKERS, ids=lambda public: public.__name__)
def test_what_cannot_be_called(public):
    with pytest.raises(TypeError, match=f'{public.__name__} takes a function, not an int'):
        public(5)


@pytest.mark.parametrize('argnums', ['x', 1.0, True, (0, 'y'), {0}], ids=repr)
@pytest.mark.parametrize('public', MAKERS, ids=lambda public: public.__name__)
def test_argnums_are_integers(public, argnums):
    with pytest.raises(TypeError, match='argnums is an integer or a tuple of integers, not '):
        public(times, argnums=argnums)


@pytest.mark.parametrize('public', MAKERS, ids=lambda public: public.__name__)
def test_argnums_are_not_none(public):
    with pytest.raises(TypeError, match='argnums is an integer or a tuple of integers, not None'):
        public(times, argnums=None)


@pytest.mark.parametrize('argnums', [2, -3, (0, 5)])
def test_argnums_are_parameters(argnums):
    for public in MAKERS[:-1]:
        with pytest.raises(TypeError, match='has 2 positional parameters'):
            public(times, argnums=argnums)(1.0, 2.0)


@pytest.mark.parametrize('argnums', [(0, 0), (0, -2)])
def test_argnums_name_an_argument_once(argnums):
    with pytest.raises(TypeError, match='twice'):
        tp.grad(times, argnums)(1.0, 2.0)
    with pytest.raises(TypeError, match='twice'):
        tp.jvp(times, argnums=argnums)


def test_argnums_may_be_lists_and_integers_of_numpy():
    assert tp.grad(times, [0, np.int64(-1)])(2.0, 3.0) == (3.0, 2.0)
    assert tp.grad(times, np.int64(1))(2.0, 3.0) == 2.0


CALLS = {
    'too few': (lambda: tp.grad(times)(1.0), r"do not fit `times\(x, y\)`: missing a required argument: 'y'"),
    'none': (lambda: tp.jit(times)(), r'do not fit `times\(x, y\)`'),
    'too many': (lambda: tp.vmap(times)(X, X, X), r'do not fit `times\(x, y\)`: too many positional arguments'),
    'another keyword': (lambda: tp.hessian(times)(1.0, 2.0, z=3.0), "unexpected keyword argument 'z'"),
    'primals': (lambda: tp.vjp(times, 1.0), r'do not fit `times\(x, y\)`'),
    'more primals': (lambda: tp.jvp(times, (1.0,) * 3, (1.0,) * 3), r'do not fit `times\(x, y\)`: too many'),
    'fewer primals': (lambda: tp.linearize(times, 1.0), r'do not fit `times\(x, y\)`'),
    'fewer tangents': (lambda: tp.jvp(times, (1.0, 2.0), (1.0,)), '2 primals, but 1 tangents'),
    'more tangents': (lambda: tp.hvp(times, (1.0, 2.0), (1.0,) * 3), '2 primals, but 3 tangents'),
    'no tuples': (lambda: tp.jvp(square, X, X), r'primals is a tuple \(or list\) .*, not a ndarray'),
    'no tuples of hvp': (lambda: tp.hvp(np.sum, X, X), r'primals is a tuple \(or list\) .*, not a ndarray'),
    'two cotangents': (lambda: tp.vjp(times, 1.0, 2.0)[1](1.0, 2.0), 'takes one cotangent, like the output, but 2'),
    'no cotangent': (lambda: tp.vjp(times, 1.0, 2.0)[1](), 'takes one cotangent, like the output, but 0'),
    'a list for an array': (lambda: tp.vjp(square, X)[1]([1.0, 1.0, 1.0]), 'is a list of length 3, but `out` is an array'),
    'an array for a tuple': (lambda: tp.vjp(pair, X)[1](X), 'but `out` is a tuple of length 2'),
    'a list for a tuple': (lambda: tp.vjp(pair, X)[1]([X, {'a': X}]), 'is a list of length 2, but `out` is a tuple of length 2'),
    'other keys': (lambda: tp.vjp(pair, X)[1]((X, {'b': X})), "a dict with the keys 'b'"),
    'complex numbers': (lambda: tp.vjp(square, X)[1](1j * X), 'an array of dtype complex128'),
    'one tangent': (lambda: tp.linearize(times, 1.0, 2.0)[1](1.0), 'takes 2 tangents, one for each argument, but 1'),
    'a tangent of text': (lambda: tp.jvp(square, (X,), ('a',)), 'is a str, but `x` is an array'),
    'the tangent of an integer': (lambda: tp.jvp(square, (3,), (1,)), 'is an int, which has no tangent: give None'),
    'text as an axis': (lambda: tp.vmap(times, in_axes=(0, 'a')), 'in_axes is made of integers and None'),
    'half examples': (lambda: tp.vmap(square, axis_size=2.5), 'axis_size is an integer, not 2.5'),
    'static text': (lambda: tp.jit(times, static_argnums='x'), "static_argnums is an integer or a tuple of integers, not 'x'"),
    'static numbers': (lambda: tp.jit(times, static_argnames=5), 'static_argnames is a name or a tuple of names, not 5'),
    'rules': (lambda: tp.custom_vjp(square).defvjp(5, 6), 'defvjp takes a function, not an int'),
    'a rule': (lambda: tp.custom_jvp(square).defjvp('f'), 'defjvp takes a function, not a str'),
    'rules for more': (lambda: tp.custom_jvp(square).defjvps(square, square), r'a rule for each of square\(x\), but 2 are given'),
    'no text': (lambda: tp.from_source(5), 'text is a str, not 5'),
    'snapshots': (lambda: tp.checkpointed(range(3), snapshots=1.5), 'snapshots is an integer, not 1.5'),
    'an order': (lambda: tp.testing.check_grads(square, (1.0,), order='2'), "order is an integer, not '2'"),
}
VALUES = {
    'a shape': (lambda: tp.vjp(square, X)[1](np.ones(2)), r'has the shape \(2,\), but `out` has the shape \(3,\)'),
    'the shape of a part': (lambda: tp.vjp(pair, X)[1]((X, {'a': X[:2]})), r'has the shape \(2,\)'),
    'a number': (lambda: tp.jvp(square, (X,), (1.0,)), r'has the shape \(\), but `x` has the shape \(3,\)'),
    'sizes': (lambda: tp.vmap(times)(X, np.ones(4)), 'the numbers of examples disagree'),
    'axes': (lambda: tp.vmap(times, in_axes=(0,))(X, X), 'does not fit a call with 2 positional arguments'),
    'rank': (lambda: tp.vmap(times, in_axes=(0, 1))(X, X), 'axis 1 is out of range for `y`'),
    'a result': (lambda: tp.vmap(square, out_axes=2)(X), 'out_axes=2 is out of range'),
    'results': (lambda: tp.vmap(square, out_axes=(0, 0))(X), 'is a container where the result is a number or an array'),
    'more results': (lambda: tp.vmap(pair, out_axes=(0, 0, 0))(X), 'does not have the structure of a tuple of 2'),
    'fewer examples than none': (lambda: tp.vmap(square, axis_size=-1), 'axis_size is at least 0, not -1'),
    'nothing': (lambda: tp.vmap(square)('text'), 'nothing is mapped: in_axes gives no argument of numbers an axis'),
    'static places': (lambda: tp.jit(times, static_argnums=2), r'static_argnums=2 is out of range for the parameters \(x, y\)'),
    'static names': (lambda: tp.jit(times, static_argnames='n'), "static_argnames='n' names none of the parameters"),
    'places of rules': (lambda: tp.custom_vjp(times, nondiff_argnums=(5,)), 'nondiff_argnums=.5,. is out of range'),
    'no order': (lambda: tp.testing.check_grads(square, (1.0,), order=0), 'order is at least 1, not 0'),
    'no snapshots': (lambda: tp.checkpointed(range(3), snapshots=0), 'snapshots is at least 1, not 0'),
}


@pytest.mark.parametrize('name', CALLS)
def test_types(name):
    call, said = CALLS[name]
    with pytest.raises(TypeError, match=said):
        call()


@pytest.mark.parametrize('name', VALUES)
def test_values(name):
    call, said = VALUES[name]
    with pytest.raises(ValueError, match=said):
        call()


def test_places_count_from_the_end_too():
    assert tp.jit(times, static_argnums=-1)(2.0, 3) == 6.0
    assert tp.custom_vjp(times, nondiff_argnums=-1).nondiff == (1,)
    assert tp.grad(count)(2.0, 1.0, 1.0) == 2.0


def quantiles(x):
    return np.sum(np.quantile(x, np.array([0.2, 0.3]), keepdims=True))


def in_another_order(x):
    return np.sum(np.sort(x, kind='heapsort'))


def logged(x):
    LOG.info('x is %s', x)
    return x * x


def spread(x):
    return statistics.pstdev([x, 2.0 * x])


def largest_of_none(x):
    return np.max(x[:0])


def only_matrices(x):
    if x.ndim != 2:
        raise KeyError('x is no matrix')
    return np.sum(x)


@pytest.mark.parametrize(('f', 'what', 'line'), [
    (quantiles, '`quantile` does not take these arguments', 'return np.sum(np.quantile('),
    (in_another_order, "`kind='heapsort'` of `np.sort` is not supported", 'return np.sum(np.sort('),
    (logged, '`logging.Logger.info` is not supported', 'LOG.info('),
    (spread, '`statistics.pstdev` is not supported', 'return statistics.pstdev('),
], ids=lambda value: getattr(value, '__name__', None))
def test_refusals_stand_at_the_line_of_the_user(f, what, line, mode):
    with pytest.raises(tp.TranspileError) as caught:
        mode(tp.grad(f))(X if f in (quantiles, in_another_order) else 1.0)
    assert caught.value.what == what and caught.value.origin.file == 'test_misfits.py' and line in caught.value.origin.text


@pytest.mark.parametrize(('f', 'kind'), [(largest_of_none, ValueError), (only_matrices, KeyError),
                                         (lambda x: np.linalg.inv(x)[0], np.linalg.LinAlgError),
                                         (lambda x: x[7] if x.ndim == 1 else x, IndexError)], ids=range(4))
def test_what_always_raises_raises_as_in_python(f, kind, mode):
    with pytest.raises(kind):
        mode(tp.value_and_grad(f))(np.ones(2))


def doubled_in_place(x):
    x[0] *= 2.0
    return np.sum(x)


def test_what_is_read_only_is_not_written(mode):
    x = np.ones(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match='read-only'):
        (tp.jit if mode.compiled else lambda f: f)(doubled_in_place)(x)
    assert mode(tp.grad(doubled_in_place))(x).tolist() == [2.0, 1.0, 1.0]


def test_what_is_read_only_is_seen_after_calls_with_what_is_not():
    x, f = np.ones(3), tp.jit(doubled_in_place)
    assert f(x) == 4.0 and f(x) == 6.0
    x.flags.writeable = False
    with pytest.raises(ValueError, match='read-only'):
        f(x)


@pytest.mark.parametrize('dtype', ['>f8', np.longdouble, np.float16], ids=str)
def test_dtypes_that_are_not_compiled(dtype):
    x = np.array([1.0, 2.0], dtype)
    assert tp.grad(lambda x: np.sum(x * x))(x).tolist() == [2.0, 4.0]
    with pytest.raises(tp.TranspileError, match='`x` is ') as caught:
        tp.jit(square)(x)
    assert 'convert it first' in str(caught.value)


def test_a_size_beside_none(mode):
    with pytest.raises(ValueError, match='cannot reshape'):
        mode(tp.jvp(lambda x: x.reshape(0, -1)))(np.zeros(0), np.zeros(0))


PUBLIC = [thing for module in (tp, tp.testing) for name in module.__all__ if inspect.isroutine(thing := getattr(module, name))]
OTHERS = ('x', 'result')     # of any type


@pytest.mark.parametrize('public', PUBLIC, ids=lambda public: public.__name__)
def test_every_keyword_of_every_function_is_asked_about(public):
    fixed = [p for p in inspect.signature(public).parameters.values() if p.kind in FIXED]
    assert {p.name for p in fixed} <= {'f', *OPTIONS, *DATA, *OTHERS}
    given = {p.name: square if p.name == 'f' else p.default for p in fixed if p.default is not p.empty or p.name == 'f'}
    for name in {p.name for p in fixed} - {'f', *OTHERS}:
        with pytest.raises(TypeError, match=f'{name} is '):
            public(**{**given, **{p.name: () for p in fixed if p.default is p.empty and p.name != 'f'}, name: object()})


FLAGS = [(public, name) for public in PUBLIC for name in inspect.signature(public).parameters if OPTIONS.get(name) is flag]


@pytest.mark.parametrize(('public', 'name'), FLAGS, ids=lambda given: getattr(given, '__name__', given))
@pytest.mark.parametrize('value', ['no', 3, None, [], 0], ids=repr)
def test_flags_are_true_or_false(public, name, value):
    with pytest.raises(TypeError, match=f'{name} is True or False, not '):
        public(square, **{name: value})
    if public not in (tp.vjp, tp.linearize):
        with pytest.raises(TypeError, match=f'{name} is True or False, not '):
            public(**{name: value})


@pytest.mark.parametrize('call', [lambda: tp.grad(argnum=0), lambda: tp.jit(square, device=0), lambda: tp.jvp(square, argnum=0)])
def test_keywords_that_nobody_takes(call):
    with pytest.raises(TypeError, match='unexpected keyword argument'):
        call()


def test_tangents_go_with_primals():
    for call in (lambda: tp.jvp(square, (X,)), lambda: tp.jvp(square, None, (X,)), lambda: tp.checkpointed(3, 2)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize('argument', [X, [1.0], {'a': 1.0}], ids=repr)
def test_static_arguments_can_be_hashed(argument):
    for call in (lambda: tp.jit(square, static_argnums=0)(argument), lambda: tp.jit(square, static_argnames='x')(x=argument)):
        with pytest.raises(ValueError, match='the static argument `x` is .* which cannot be hashed'):
            call()


CHECKS = {
    'no tuple': (lambda: tp.testing.check_vmap(square, X), TypeError),
    'axes': (lambda: tp.testing.check_vmap(square, (X,), in_axes=(0, 0)), ValueError),
    'an axis': (lambda: tp.testing.check_vmap(square, (X,), in_axes=5), ValueError),
    'a number': (lambda: tp.testing.check_vmap(square, (1.0,)), ValueError),
    'nothing mapped': (lambda: tp.testing.check_vmap(square, (X,), in_axes=None), ValueError),
    'no arguments': (lambda: tp.testing.check_vmap(square, ()), TypeError),
    'no examples': (lambda: tp.testing.check_vmap(square, (X[:0],)), ValueError),
    'sizes': (lambda: tp.testing.check_vmap(times, (X, np.ones(4))), ValueError),
    'no function': (lambda: tp.testing.check_jit(3, (X,)), TypeError),
    'no tuple for jit': (lambda: tp.testing.check_jit(square, X), TypeError),
    'more arguments': (lambda: tp.testing.check_grads(square, (1.0, 2.0)), TypeError),
    'no modes': (lambda: tp.testing.check_grads(square, (1.0,), modes=()), ValueError),
    'a negative tolerance': (lambda: tp.testing.check_grads(square, (1.0,), rtol=-1.0), ValueError),
    'places': (lambda: tp.testing.compare_gradients(square, [1.0], [1.0], [3]), ValueError),
}


@pytest.mark.parametrize('name', CHECKS)
def test_checks_say_what_does_not_fit(name):
    call, kind = CHECKS[name]
    with pytest.raises(kind) as caught:
        call()
    assert 'zip()' not in str(caught.value) and str(caught.value)


INSIDE = {
    "tp.grad(f, has_aux='no')(x)": "has_aux is True or False, not 'no'",
    'tp.grad(f, argnum=0)(x)': "unexpected keyword argument 'argnum'",
    'tp.grad(f, value=True)(x)': "unexpected keyword argument 'value'",
    'tp.grad(3)(x)': 'grad takes a function, not an int',
    'tp.grad(x)(x)': 'grad takes a function, not a run-time value',
    'tp.jit(f, parallel=3)(x)': 'parallel is True or False, not 3',
    "tp.vmap(f, axis_size='a')(x)": "axis_size is an integer, not 'a'",
    'tp.vmap(f, in_axes=(0, 0))(x)': 'does not fit a call with 1 positional arguments',
    'tp.vmap(f, out_axes=3)(x)': 'out_axes=3 is out of range',
    'tp.jvp(f, (x,), ())': 'jvp is given 1 primals, but 0 tangents',
    'tp.jvp(f, x, x)': 'primals is a tuple',
    'tp.jvp(f, (x,), (x,), has_auxx=True)': "unexpected keyword argument 'has_auxx'",
    'tp.vjp(f, x, foo=1)': "unexpected keyword argument 'foo'",
    'tp.vjp(f, x)[1]()': 'a pullback takes one cotangent, like the output, but 0 are given',
    'tp.linearize(f, x)[1](x, x)': 'takes 1 tangents, one for each argument, but 2 are given',
    'tp.hvp(f, (x,))': "missing a required argument: 'tangents'",
    'tp.hvp(f, (x,), (), 3)': 'too many positional arguments',
    'tp.checkpoint(f, 3)(x)': 'too many positional arguments',
    'tp.checkpointed(range(3))': "missing a required argument: 'snapshots'",
    'tp.checkpointed(range(3), 0)': 'snapshots is at least 1, not 0',
    'tp.stop_gradient(x, x)': 'too many positional arguments',
    'tp.explain(f, x)': '`explain` inside a function that is transformed is not supported',
    'tp.cache.size()': '`size` inside a function that is transformed is not supported',
    'tp.testing.check_jit(f, (x,))': '`check_jit` inside a function that is transformed is not supported',
}


@pytest.mark.parametrize('call', INSIDE)
def test_calls_inside_functions_are_refused_at_their_line(call):
    program = tp.from_source(f'import numpy as np\nimport transpiler as tp\n\n\ndef f(x):\n    return np.sum(x * x)\n\n\n'
                             f'def program(x):\n    y = {call}\n    return np.sum(x)\n')
    with pytest.raises(tp.TranspileError) as caught:
        tp.grad(program)(X)
    assert INSIDE[call] in str(caught.value) and caught.value.origin.line == 10


def test_a_transformation_inside_a_function_may_get_its_function_later():
    program = tp.from_source('import transpiler as tp\n\n\ndef cube(x):\n    return x ** 3\n\n\n'
                             'def program(x):\n    return tp.grad(argnums=0)(cube)(x)\n')
    assert tp.grad(program)(2.0) == 12.0
