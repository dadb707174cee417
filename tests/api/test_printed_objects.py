"""Objects, named tuples, views of dicts, ranges and the like are printed as Python prints them, whatever derivative is taken."""

import collections
import dataclasses
import enum
import typing

import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, 0.3, -2.0])


class Pair(typing.NamedTuple):
    u: float
    v: object


@dataclasses.dataclass
class Field:
    a: object
    hidden: int = dataclasses.field(default=3, repr=False)
    name: str = 'x'


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __repr__(self):
        return f'Vector({self.x}, {self.y})'


class Shown(Vector):
    def __str__(self):
        return 'shown %s' % self.x

    def __format__(self, layout):
        return f'<{self.x}|' + layout + '>'


class Colour(enum.Enum):
    RED = 1
    BLUE = 'b'


class Bare:
    def __init__(self, x):
        self.x = x


CAPTURED = Vector(2.0, np.array([1.0, 2.0]))


def objects(x):
    pair, field, vector = Pair(x[0], x), Field(x), Vector(x[0], x[1]) + Vector(1.0, 2)
    print(pair, [field], (vector,), {'v': vector, Colour.RED: None})
    print(f'{pair} {field!r} {vector}', str(pair), repr(field), '%s %r' % (vector, vector), '{0!r}'.format(pair))
    return pair.u * field.a[1]


def methods(x):
    shown = Shown(x[0], 1)
    print(shown, [shown], f'{shown} {shown:>4} {shown!r}', str(shown), '%s' % shown)
    return shown.x


def views(x):
    d = {'a': x[0], 'b': x * 1, 3: None}
    keys, text = d.keys(), f'{d} {d.values()}'
    d['b'][0], d['c'] = 7.0, 1
    print(text, keys, d.values(), [d.items()])
    return d['a']


def ranges(x):
    n = len(x)
    print(range(n), [range(3)], range(0, n, 2), slice(1, n), f'{range(1, n)} {slice(None)}')
    return x[0]


def known(x):
    print(Colour.RED, [Colour.BLUE], f'{Colour.RED}', np.sin, len, float, Pair, type(x), f'{np.exp}', Ellipsis, x.dtype)
    print(f'{Vector(1, 2)!r:>15}|{range(3)!s:<12}|{({"a": 1}).keys()!s:>20}')
    return x[0]


def optional(x):
    found = None
    for i in range(len(x)):
        if i > 0:
            found = x[i]
        print(Vector(found, i), f'{Pair(found, [found])}')
    return x[0]


def loops(x):
    vector = Vector(0.0, x[0])
    for i in range(len(x)):
        vector = Vector(vector.x + x[i], vector.y)
        print(i, vector, {'i': i}.keys())
    return vector.x


def queues(x):
    queue = collections.deque([1, x[0]])
    print(queue, [queue], f'{queue}', list(queue))
    growing = collections.deque()
    for i in range(len(x)):
        growing.append(x[i])
    growing.popleft()
    print(growing, list(growing), collections.deque())
    return queue.pop()


def captured(x):
    print(CAPTURED, f'{CAPTURED}')
    return x[0]


FUNCTIONS = objects, methods, views, ranges, known, optional, loops, queues, captured


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python_prints(f, capsys):
    f(X)
    wanted = capsys.readouterr().out
    derivatives = tp.grad(f), tp.hessian(f), lambda x: tp.jvp(f, (x,), (x,)), lambda x: tp.vmap(f)(x[None]), tp.jacrev(f)
    for derivative in derivatives:
        derivative(X)
        assert capsys.readouterr().out == wanted


@pytest.mark.parametrize('f', (objects, views, optional), ids=lambda f: f.__name__)
def test_compiled(f, capsys):
    f(X)
    wanted = capsys.readouterr().out
    tp.jit(tp.grad(f))(X)
    assert capsys.readouterr().out == wanted


def test_what_changes_between_calls_is_printed(capsys, monkeypatch):
    gradient = tp.grad(captured)
    gradient(X)
    monkeypatch.setattr(CAPTURED, 'x', 9.0)
    capsys.readouterr()
    gradient(X)
    found = capsys.readouterr().out
    captured(X)
    assert found == capsys.readouterr().out


def test_errors_show_objects():
    def f(x):
        if x[0] > 0.0:
            raise ValueError(Vector(x[0], 1))
        assert x[0] < 0.0, {'x': x[0]}.keys()
        return x[0]

    with pytest.raises(ValueError, match=r'^Vector\(1.5, 1\)'):
        tp.grad(f)(X)
    with pytest.raises(AssertionError, match=r"^dict_keys\(\['x'\]\)"):
        tp.grad(f)(0.0 * X)


@pytest.mark.parametrize('shown', (lambda x: Bare(x), lambda x: objects, lambda x: np.sum, lambda x: zip(x, x), lambda x: x.sum))
def test_addresses_are_refused(shown):
    def f(x):
        print(shown(x))
        return x[0]

    with pytest.raises(tp.TranspileError, match='the text of .* is not supported(?s:.*)lies in memory'):
        tp.grad(f)(X)


def test_another_text_on_another_path_is_refused():
    def text(x):
        if x > 0.0:
            return f'more {x}'
        return f'less {x}'

    def f(x):
        print(text(x[0]))
        return x[0]

    with pytest.raises(tp.TranspileError, match='no single kind'):
        tp.grad(f)(X)
