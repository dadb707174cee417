"""Types of results: the inferred type of every example is the type of what NumPy returns, at other sizes too."""
import operator

import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (fills the registry)
from transpiler.rules.base.registry import RULES
from transpiler.values.broadcasting import broadcast
from transpiler.values.dims import Dim, Symbol
from transpiler.values.probe import infer
from transpiler.values.types import BOOL, FLOAT, INT, Array, Scalar, Unknown

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
N, M, K = (Dim.symbol(name, large=True) for name in 'nmk')
MAYBE = Dim.symbol('a')


def array(*dims, dtype=F64):
    return Array(dtype, tuple(map(Dim.of, dims)))


def inferred(primitive, *operands, **statics):
    type_, equalities = infer(primitive, operands, statics)
    return str(type_), {symbol.name: str(dim) for symbol, dim in equalities.items()}


def type_of(value):
    """The exact type of an operand of a test: sizes are constants."""
    match value:
        case list() | tuple():
            return tuple(map(type_of, value))
        case np.ndarray():
            return array(*value.shape, dtype=value.dtype)
        case np.generic():
            return Scalar(value.dtype)
    return Scalar(np.dtype(type(value)), weak=True)


CASES = [pytest.param(rule, k, id=f'{rule.name}-{k}') for rule in RULES.values() if rule.kind != 'definition'
         for k in range(len(rule.examples))]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize(('rule', 'number'), CASES)
def test_examples_have_the_types_that_numpy_gives(rule, number):
    args, keywords = rule.examples[number].draw(np.random.default_rng(number), rule)
    operands, statics = rule.bind(args, keywords)
    type_, equalities = infer(rule, tuple(map(type_of, operands)), statics)
    assert not equalities
    results = rule.primitive(*args, **keywords)
    several = zip(type_, results, strict=True) if isinstance(results, tuple) else [(type_, results)]
    for found, result in several:
        if rule.type is not None and np.ndim(result) == 0:
            assert found.dtype == np.asarray(result).dtype
        elif rule.name != 'numpy.flatnonzero':      # its length depends on values
            assert found == type_of(result)


@pytest.mark.parametrize(('primitive', 'operands', 'statics', 'expected'), [
    (np.sum, [array(N, M)], {'axis': 0}, 'float64[m]'),
    (np.sum, [array(N, M)], {'axis': -1, 'keepdims': True}, 'float64[n, 1]'),
    (np.sum, [array(N, M, dtype=F32)], {}, 'float32'), (np.transpose, [array(N, M)], {}, 'float64[m, n]'),
    (np.ravel, [array(N, M)], {}, 'float64[?]'), (np.concatenate, [(array(N), array(M))], {}, 'float64[m + n]'),
    (np.stack, [(array(N), array(N))], {'axis': 1}, 'float64[n, 2]'), (np.repeat, [array(N)], {'repeats': 2}, 'float64[2*n]'),
    (np.matmul, [array(N, M), array(M, K)], {}, 'float64[n, k]'), (np.outer, [array(N), array(M)], {}, 'float64[n, m]'),
    (np.pad, [array(N)], {'pad_width': 1}, 'float64[n + 2]'), (np.argmax, [array(N, M)], {'axis': 0}, 'int64[m]'),
    (np.argmax, [array(N)], {}, 'int64'),
    (np.zeros, [], {'shape': (Scalar(np.dtype(int), True, N - 1), 3)}, 'float64[n - 1, 3]'),
    (np.zeros, [], {'shape': Scalar(np.dtype(int), True)}, 'float64[?]'),
    (np.arange, [], {'start_or_stop': Scalar(np.dtype(int), True, N)}, 'int64[n]'),
    (np.reshape, [array(N, M)], {'shape': (3, -1)}, 'float64[3, ?]'),
    (np.reshape, [array(N)], {'shape': (-1, 1)}, 'float64[n, 1]'),
    (np.reshape, [array(N, 6)], {'shape': (Scalar(np.dtype(int), True, N), 2, -1)}, 'float64[n, 2, 3]'),
    (np.squeeze, [array(N, 1)], {}, 'float64[n]'), (np.squeeze, [array(MAYBE, 1)], {}, 'float64[...]'),
    (np.einsum, [array(N, M), array(M)], {'subscripts': 'ij,j->i'}, 'float64[n]'),
    (np.exp, [Array(F32, None)], {}, 'float32[...]'), (np.sum, [Array(F32, None)], {}, 'float32'),
    (np.exp, [Unknown()], {}, '?'), (np.greater, [Unknown(), FLOAT], {}, 'bool[...]'),
    (np.array, [(Scalar(F64), FLOAT, INT)], {}, 'float64[3]'),
    (np.where, [array(N, dtype=np.dtype(bool)), FLOAT, array(N, dtype=F32)], {}, 'float32[n]'),
])
def test_symbolic_sizes(primitive, operands, statics, expected):
    rule = next(rule for rule in RULES.values() if rule.primitive is primitive)
    assert inferred(rule, *operands, **statics)[0] == expected


@pytest.mark.parametrize(('function', 'operands', 'expected'), [
    (operator.mul, [array(N, dtype=F32), FLOAT], 'float32[n]'),
    (operator.mul, [array(N, dtype=F32), Scalar(F64)], 'float64[n]'), (operator.add, [FLOAT, INT], 'float'),
    (operator.truediv, [INT, INT], 'float'), (operator.lt, [FLOAT, INT], 'bool'), (operator.lt, [Scalar(F64), INT], 'bool'),
    (operator.add, [Scalar(F32), FLOAT], 'float32'), (operator.add, [BOOL, BOOL], 'int'),
    (operator.matmul, [array(N, M), array(M)], 'float64[n]'), (operator.neg, [array(N, 1)], 'float64[n, 1]'),
])
def test_python_operators(function, operands, expected):
    assert inferred(function, *operands)[0] == expected


def test_sizes_are_followed_through_arithmetic():
    n = Scalar(np.dtype(int), True, N)
    assert str(infer(operator.sub, [n, Scalar(np.dtype(int), True, Dim.of(1))], {})[0].size) == 'n - 1'
    assert infer(operator.mul, [n, n], {})[0].size is None
    assert infer(operator.sub, [n, INT], {})[0].size is None


def test_what_is_only_piecewise_affine_is_unknown():
    n = Scalar(np.dtype(int), True, N)
    hundred = Scalar(np.dtype(int), True, Dim.of(100))
    for function in (operator.floordiv, operator.mod, min, max):
        assert infer(function, [n, hundred], {})[0].size is None
    assert inferred(np.diagonal, array(N, M))[0] == 'float64[?]'
    assert inferred(np.diagonal, array(N, N), offset=40)[0] == 'float64[n - 40]'
    assert inferred(RULES['numpy.arange'], start_or_stop=n, stop=100)[0] == 'int64[?]'


def test_large_constants_are_not_allocated():
    images = array(6_000_000, 784)
    assert inferred(np.dot, images, array(784, 10)) == ('float64[6000000, 10]', {})
    assert inferred(RULES['numpy.broadcast_to'], array(784), shape=(6_000_000, 784))[0] == 'float64[6000000, 784]'
    assert inferred(np.dot, array(N, M), array(784, 10)) == ('float64[n, 10]', {'m': '784'})
    with pytest.raises(ValueError, match='align'):
        infer(np.dot, [images, array(785, 10)], {})
    assert inferred(np.diff, array(N - 40, 100_000))[0] == 'float64[n - 40, 99999]'


def test_equalities():
    assert inferred(np.dot, array(N, M), array(K)) == ('float64[n]', {'k': 'm'})
    assert inferred(operator.add, array(N, M), array(K)) == ('float64[n, m]', {'k': 'm'})
    assert inferred(np.stack, (array(N), array(M))) == ('float64[2, n]', {'m': 'n'})
    assert inferred(np.matmul, array(N, M), array(3, K)) == ('float64[n, k]', {'m': '3'})
    with pytest.raises(ValueError, match='broadcast'):
        infer(operator.add, [array(3), array(4)], {})
    with pytest.raises(ValueError, match='align'):
        infer(np.dot, [array(2, 3), array(4)], {})


def test_a_size_that_may_be_1_is_not_taken_to_be_equal():
    assert inferred(operator.add, array(MAYBE), array(N)) == ('float64[n]', {})
    assert inferred(operator.add, array(MAYBE), Array(F64, (None,))) == ('float64[?]', {})
    rule = RULES['numpy.einsum']
    assert inferred(rule, array(MAYBE), array(N), subscripts='i,i->i')[1] == {}


def test_broadcast_says_what_to_sum():
    assert broadcast((N, Dim.of(1)), (Dim.of(1), M)).summed == ((1,), (0,))
    assert broadcast((Dim.of(1),), (Dim.of(1), Dim.of(1))).summed == ((0,), ())
    assert broadcast((MAYBE,), (N,)).summed == (None, ())
    assert broadcast((N,), (M,)).equalities == {Symbol('m', True): N}
    assert broadcast((Dim.of(0), Dim.of(1)), (Dim.of(3),)).summed == ((1,), (0,))


def test_what_a_rule_does_not_cover_is_refused():
    with pytest.raises(TypeError, match='dtype'):
        infer(RULES['numpy.sum'], [array(N)], {'dtype': np.float32})
    with pytest.raises(TypeError, match='order'):
        infer(RULES['numpy.reshape'], [array(N)], {'shape': -1, 'order': 'A'})


def test_a_size_may_have_to_be_1():
    unknown = Array(F64, (N, None))
    assert inferred(np.matmul, unknown, array(1, M)) == ('float64[n, m]', {})
    assert inferred(np.matmul, array(N, MAYBE), array(1, M)) == ('float64[n, m]', {})
    with pytest.raises(ValueError, match='mismatch'):
        infer(np.matmul, [array(N, M), array(1, M)], {})


def test_products_of_stacks_have_the_sizes_that_their_signature_says():
    nothing = Array(F64, (None,) * 4)
    assert inferred(np.matmul, nothing, array(N, 2, 1, 3)) == ('float64[n, 2, ?, 3]', {})
    assert inferred(np.matmul, array(N, 1, 3), array(2, M, K)) == ('float64[2, 1, k]', {'n': '2', 'm': '3'})
    assert inferred(operator.matmul, array(N, M), array(K)) == ('float64[n]', {'k': 'm'})
    assert inferred(np.matmul, array(N), array(3)) == ('float64', {'n': '3'})
    for wrong in ([array(N), array(N + 1)], [array(3), Scalar(F64)], [array(N), array(1)], [array(2, 3), array(4, 2)]):
        with pytest.raises(ValueError, match='matmul'):
            infer(np.matmul, wrong, {}, lambda dim: 3)


def resized(value, sizes):
    """The operands of an example, with other sizes."""
    match value:
        case list():
            return [resized(item, sizes) for item in value]
        case tuple():
            return tuple(sizes[size] for size in value)
    return value


def symbolic(value):
    """The type of an operand of a call: equal sizes are one symbol, as in a specialisation."""
    match value:
        case list() | tuple():
            return tuple(map(symbolic, value))
        case np.ndarray():
            return array(*(Dim.of(n) if n < 2 else Dim.symbol(f'n{n}', large=True) for n in value.shape), dtype=value.dtype)
    return type_of(value)


def as_called(dim):
    return None if dim is None else dim.substitute({symbol: Dim.of(int(symbol.name[1:])) for symbol, _ in dim.terms})


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('turn', range(6))
def test_sizes_that_coincide(turn):
    tried = 0
    public = [r for r in RULES.values() if r.kind != 'definition' and r.examples and r.name.startswith(('numpy', 'scipy'))]
    for number, rule in enumerate(public):
        rng = np.random.default_rng([turn, number])
        example = rule.examples[turn % len(rule.examples)]
        sizes = {size: int(rng.integers(1, 5)) for size in range(20)}
        try:
            moved = type(example)(tuple(resized(operand, sizes) for operand in example.operands), example.keywords)
            args, keywords = moved.draw(rng, rule)
            results = rule.primitive(*args, **keywords)
        except (ValueError, IndexError, TypeError, KeyError, np.linalg.LinAlgError):
            continue        # it asks for other sizes
        operands, statics = rule.bind(args, keywords)
        types, equalities = infer(rule, tuple(map(symbolic, operands)), statics)
        assert all(as_called(Dim.of(symbol)) == as_called(dim) for symbol, dim in equalities.items()), (rule.name, equalities)
        several = zip(types, results, strict=True) if isinstance(results, tuple) else [(types, results)]
        for found, result in several:
            dims = getattr(found, 'dims', None) or ()
            assert all(dim is None or as_called(dim) == Dim.of(n) for dim, n in zip(dims, np.shape(result))), (rule.name, found)
        tried += 1
    assert tried > 100
