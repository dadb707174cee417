"""Dataclasses, classes and registered pytrees: as arguments, as locals, around the program, as results."""
import dataclasses
import functools
import typing
from dataclasses import dataclass, field

import numpy as np
import optree
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import NotDifferentiable, TranspileError, UnsafeMutation, UnsupportedFunction, UnsupportedSyntax

X = np.array([0.3, 0.7, 1.1])


@dataclass
class Spring:
    k: float
    rest: float = 0.5
    w: np.ndarray | None = None
    name: str = field(default='spring', metadata={'static': True})

    def energy(self, q):
        return 0.5 * self.k * (q - self.rest) ** 2

    @property
    def double(self):
        return 2 * self.k

    def __call__(self, q):
        return self.energy(q) * self.double


@dataclass(frozen=True)
class State:
    p: np.ndarray
    v: float = 1.0


class Net:
    SCALE = 2.0

    def __init__(self, w, act=np.tanh):
        self.w = w
        self.act = act
        self.count = 0.0

    def predict(self, x):
        self.count += 1.0
        return self.act(self.w @ x) * self.SCALE

    @staticmethod
    def square(a):
        return a * a

    @classmethod
    def doubled(cls, w):
        return cls(w * 2)


class Pair:
    def __init__(self, left, right, label):
        self.left, self.right, self.label = left, right, label


optree.register_pytree_node(
    Pair, lambda p: ((p.left, p.right), p.label), lambda label, parts: Pair(*parts, label), namespace='tests')


def test_a_dataclass_as_argument(mode):
    def f(spring, q):
        return spring.energy(q) + spring(q) * spring.double + np.sum(spring.w) * q
    spring = Spring(2.0, 0.3, np.ones(3))
    gradient = mode(tp.grad(f))(spring, 0.7)
    assert type(gradient) is Spring and gradient.name == 'spring'
    step = 1e-6
    slope = (f(dataclasses.replace(spring, k=2.0 + step), 0.7) - f(dataclasses.replace(spring, k=2.0 - step), 0.7)) / (2 * step)
    assert abs(gradient.k - slope) < 1e-6
    assert np.array_equal(gradient.w, np.full(3, 0.7))
    check(mode, lambda q: f(spring, q), 0.7, order=2)


def test_an_instance_as_argument(mode):
    def f(net, x):
        return np.sum(net.act(net.w * x) ** 2)
    gradient = mode(tp.grad(f))(Net(X), X)
    assert type(gradient) is Net and gradient.act is np.tanh and gradient.count == 0.0
    np.testing.assert_allclose(gradient.w, 2 * np.tanh(X * X) / np.cosh(X * X) ** 2 * X)


def test_a_registered_pytree(mode):
    def f(pair):
        return np.sum(pair.left * pair.right) * (2.0 if pair.label == 'twice' else 1.0)
    pair = Pair(X, 2 * X, 'twice')
    gradient = mode(tp.grad(f))(pair)
    assert optree.tree_structure(gradient, namespace='tests') == optree.tree_structure(pair, namespace='tests')
    assert np.array_equal(gradient.left, 4 * X) and np.array_equal(gradient.right, 2 * X)


def test_integers_in_an_object_have_no_derivative():
    @dataclass
    class Numbered:
        x: float
        n: int
    with pytest.raises(NotDifferentiable, match='int'):
        tp.grad(lambda a: a.x * a.n)(Numbered(1.0, 2))


def made_inside(x):
    state = State(x)
    for _ in range(3):
        state = dataclasses.replace(state, p=state.p * state.v, v=state.v + 0.1 * state.p[0])
    spring = Spring(x[0], name='other')
    spring.k = spring.k * 2
    spring.rest += 1.0
    return np.sum(state.p) * state.v + spring.energy(x[1])


def methods(x):
    net = Net(x)
    y = net.predict(x)
    return y * Net.square(Net.doubled(x[:3]).predict(x)) * net.count


def state_in_a_loop(x):
    net = Net(x[0] * 1.0)
    for i in range(len(x)):
        net.w = net.w * x[i] + net.count
        net.count += 1
    return net.w * net.count


def aliases(x):
    net = Net(x[0])
    other = net
    if x[1] > 0:
        other.w = net.w * x[1]
    return net.w * other.w


def partials(x):
    inner = functools.partial(lambda a, b, c=1.0: a * b ** 2 * c, x[0], c=x[1])
    return inner(x[2]) + PARTIAL(x[0])


def callbacks(x):
    table = {'square': lambda a: a * a, 'cube': lambda a: a ** 3}

    def twice(g):
        return lambda a: g(g(a))
    return sum(g(x[0]) for g in (np.sin, *table.values())) * twice(table['square'])(x[1])


def around(x):
    return np.sum(NET.w * x) * NET.SCALE + NET.act(x[0]) + sum(layer.energy(x[1]) for layer in LAYERS)


PARTIAL = functools.partial(lambda w, a: np.sum(w) * a ** 2, np.array([1.0, 2.0]))
NET = Net(np.array([1.0, 2.0, 3.0]))
LAYERS = [Spring(1.0, 2.0), Spring(3.0, 0.1)]


@pytest.mark.parametrize('f', (made_inside, methods, state_in_a_loop, aliases, partials, callbacks, around),
                         ids=lambda f: f.__name__)
def test_inside(mode, f):
    check(mode, f, X, order=2)


class Model:
    def __init__(self):
        self.w, self.scale = np.array([1.0, 2.0, 3.0]), 0.5

    def loss(self, x):
        return np.sum(self.w * x * x) * self.scale


def test_bound_methods_see_their_object_as_it_is(mode):
    model = Model()
    gradient = mode(tp.grad(model.loss))
    np.testing.assert_allclose(gradient(X), model.w * X)
    model.scale, model.w = 2.0, np.ones(3)
    np.testing.assert_allclose(gradient(X), 4.0 * X)


def test_lists_of_objects_and_functions_are_seen_as_they_are(mode, monkeypatch):
    gradient = mode(tp.grad(lambda x: sum(layer.energy(x) for layer in LAYERS)))
    assert abs(gradient(1.0) - (1.0 * -1.0 + 3.0 * 0.9)) < 1e-12
    monkeypatch.setattr(LAYERS[0], 'k', 5.0)
    assert abs(gradient(1.0) - (5.0 * -1.0 + 3.0 * 0.9)) < 1e-12
    first, LAYERS[0] = LAYERS[0], Spring(0.0, 0.0)
    try:
        assert abs(gradient(1.0) - 3.0 * 0.9) < 1e-12
    finally:
        LAYERS[0] = first


def test_objects_as_results(mode):
    def f(x):
        return np.sum(x * x), State(x * 2.0, 3.0)
    gradient, state = mode(tp.grad(f, has_aux=True))(X)
    assert isinstance(state, State) and np.array_equal(state.p, 2 * X) and state.v == 3.0 and np.array_equal(gradient, 2 * X)


def test_refused():
    def writes_around(x):
        NET.w = x
        return np.sum(NET.w)

    def writes_a_frozen(x):
        state = State(x)
        state.v = 2.0
        return np.sum(state.p)

    def unknown_attribute(x):
        return State(x).q
    with pytest.raises(UnsupportedSyntax, match='attribute `w`'):
        tp.grad(writes_around)(X)
    with pytest.raises(UnsupportedSyntax, match='attribute `v`'):
        tp.grad(writes_a_frozen)(X)
    with pytest.raises(TranspileError, match='no attribute `q`'):
        tp.grad(unknown_attribute)(X)
    assert NET.w.shape == (3,)


def test_arguments_stay_as_they_are(mode):
    def f(net, x):
        return net.predict(x) * net.count
    net = Net(X)
    mode(tp.grad(f, argnums=1))(net, X)
    assert net.count == 0.0
    with pytest.raises(UnsafeMutation):
        tp.jit(f)(net, X)


def test_classes_that_do_more():
    class Odd:
        def __new__(cls, x):
            return object.__new__(cls)
    with pytest.raises(UnsupportedFunction, match='__new__'):
        tp.grad(lambda x: Odd(x))(1.0)


class Base:
    scale = 2.0

    def __init__(self, w):
        super().__init__()
        self.w = w

    def __call__(self, y):
        return self.w * y

    def __add__(self, other):
        return type(self)(self.w + other.w)

    @property
    def square(self):
        return self.w ** 2

    @classmethod
    def of(cls, w):
        return cls(w)


class Left(Base):
    def __call__(self, y):
        return 10 * super().__call__(y)


class Right(Base):
    scale = 3.0

    def __call__(self, y):
        return super(Right, self).__call__(y) + super().scale

    @property
    def square(self):
        return super().square * self.scale

    @classmethod
    def of(cls, w):
        return super().of(w * w)


class Both(Left, Right):
    def __init__(self, w, b=2.0):
        Base.__init__(self, w * b)
        self.b = b


class Point(typing.NamedTuple):
    u: float
    v: float = 3.0

    def area(self):
        return self.u * self.v


BOTH = Both(0.7)


def inherited(x):
    both = Both(x[0], x[1])
    return both(x[2]) * both.square + Right.of(x[1])(x[0]) * Both.of(x[2]).square


def inherited_around(x):
    return BOTH(x[0]) * BOTH.square


def made_of_its_own_class(x):
    total = Right(x[0]) + Right(x[1])
    return total(x[2]) if type(total) is Right and type(x) is np.ndarray else x[0]


def named_tuples(x):
    p = Point(x[0])
    q = p._replace(v=x[1] * p.u)
    entries = q._asdict()
    return q.area() * entries['v'] + len(entries) * p.area()


@pytest.mark.parametrize('f', (inherited, inherited_around, made_of_its_own_class, named_tuples), ids=lambda f: f.__name__)
def test_classes_of_classes(mode, f):
    check(mode, f, X, order=2)


class Doubling:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, k):
        return self.v[k] * 2.0

    @property
    def half(self):
        return self.v * 0.5


def test_augmented_writes_set_what_they_have_changed():
    """What an item or an attribute gives may be no part of the object; then Python raises, and nothing must be lost."""
    def item(x):
        odd = Doubling(x)
        odd[1:] += 1.0
        return np.sum(odd.v)

    def attribute(x):
        odd = Doubling(x)
        odd.half += 1.0
        return np.sum(odd.v)

    def of_a_tuple(x):
        pair = x.copy(), 1.0
        pair[0] += 1.0
        return np.sum(pair[0])
    for f, message in ((item, '__setitem__'), (attribute, 'property `half`'), (of_a_tuple, 'tuple cannot be changed')):
        with pytest.raises(TranspileError, match=message):
            tp.grad(f)(X)


def test_tangents_of_constants_in_objects(mode):
    _, pushed, aux = tp.linearize(lambda x: ([Point(x[0], 4.0), -1.0], {'n': 1.5}), X, has_aux=True)
    assert mode(pushed)(np.ones(3)) == [Point(1.0, 0.0), 0.0] and aux == {'n': 1.5}


class Named(typing.NamedTuple('Named', [('u', float), ('v', float)])):
    def _asdict(self):
        return {'u': self.v, 'v': self.u}


class OfFloats(type):
    def __instancecheck__(cls, value):
        return isinstance(value, float)


class Number(metaclass=OfFloats):
    pass


class ByPosition(Both):
    def scaled(self, x, /):
        return super().__call__(x) * self.b


def with_methods_of_its_own(x):
    entries = Named(x[0], x[1])._replace(v=x[2] ** 2)._asdict()
    return entries['u'] * x[0]


def asks_a_metaclass(x):
    return x[0] ** 2 if isinstance(0.5, Number) and not isinstance(1, Number) else x[1]


def above_by_position(x):
    return ByPosition(x[0]).scaled(x[1])


@pytest.mark.parametrize('f', (with_methods_of_its_own, asks_a_metaclass, above_by_position), ids=lambda f: f.__name__)
def test_classes_that_say_it_themselves(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('f, message', [
    (lambda x: dataclasses.replace(Point(x[0]), u=x[1]).u, '`dataclasses.replace` of'),
    (lambda x: len(dataclasses.asdict(Spring(x[0]))) * x[0], 'asdict'),
])
def test_what_is_not_said_of_objects(f, message):
    with pytest.raises(tp.TranspileError, match=message):
        tp.grad(f)(X)


def test_the_class_of_a_function():
    assert np.array_equal(tp.grad(lambda x: x[0] if type(lambda: x) is int else x[1])(X), np.eye(X.size)[1])
