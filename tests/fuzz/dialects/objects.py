"""Objects: properties, operators, methods, slots and descriptors, replaced between two calls, in globals and arguments."""

from __future__ import annotations

from random import Random

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 's = s + $number'), (1, 'p = $pair'), (1, 'q = $pair'), (1, 'p.first = $number'), (1, 'p.clamped = $number'),
        (1, 'for i in range($count):\n    $step'),
        (1, 'if $test:\n    $step\nelse:\n    $step'), (1, 'p, q = q, p'), (1, 'p += q'), (1, 'p[1] = $number'),
        (1, 'y = $items'), (1, 's += sum(p)'),
        (1, "if hasattr(p, 'extra'):\n    s += p.extra\nelse:\n    p.extra = $number"),
        (1, 's = s * len(p) + (1.0 if p else 0.5)'),
    ],
    'step': ['s = s + $number', 'p = p + $pair', 'p.first = $number', 's = s * 0.5', 'p = p * 0.5', 'p.clamped = $number'],
    'number': [
        (2, 's'), 'x[0]', 'p.first', 'q.second', 'p.norm', 'q.norm * 0.3', 'p.scaled($number)', 'SPRING.force($number)',
        'SPRING.stiffness', 'p[0]', 'p @ q',
        'helper($number)', 'p.kind() * 0.1', 'np.sin($number)', '($number * $number)', '($number - $number)',
               'np.sum(y)', 'Pair.of(x[0]).second', 'p.clamped',
        'LAYER(x[0])', 'keyed(x[0])', '(1.0 if p < q else 0.7)', 'abs(p)', 'getattr(q, "first")', 'SPRING.law(x[-1])'],
    'pair': ['Pair($number, $number)', '(p + q)', '(p - q)', '-p', 'p * $number', '$number * q', 'Pair.of($number)', 'q'],
    'items': ['x * $number', 'np.array([p.first, q.second])', 'y + x[0]', 'np.array(list(p))'],
    'count': ['2', 'n', '3'],
    'test': ['x[0] > 0.1', 'p == q', 's > 0.2', 'p.first > q.first', 'n > 1', 'isinstance(p, Pair)'],
})
HEAD = '''import numpy as np
from dataclasses import dataclass, field

class Floor:
    def __get__(self, owner, kind=None):
        return owner._clamped
    def __set__(self, owner, value):
        owner._clamped = value if value > 0.1 else 0.1

class Pair:
    clamped = Floor()
    def __init__(self, first, second):
        self.first, self.second = first, second
        self._clamped = 0.3
    @classmethod
    def of(cls, value):
        return cls(value, 2.0 * value)
    @property
    def norm(self):
        return self.first * self.first + self.second
    def scaled(self, by):
        return self.first * by
    @staticmethod
    def kind():
        return 2
    def __add__(self, other):
        return Pair(self.first + other.first, self.second + other.second)
    def __sub__(self, other):
        return Pair(self.first - other.first, self.second * other.second)
    def __neg__(self):
        return Pair(-self.first, -self.second)
    def __mul__(self, by):
        return Pair(self.first * by, self.second * by)
    __rmul__ = __mul__
    def __matmul__(self, other):
        return self.first * other.first + self.second * other.second
    def __abs__(self):
        return np.sqrt(1.0 + self.first * self.first)
    def __iter__(self):
        yield self.first
        yield self.second
    def __len__(self):
        return 2
    def __bool__(self):
        return bool(self.first > 0.2)
    def __getitem__(self, k):
        return self.second if k else self.first
    def __setitem__(self, k, value):
        if k:
            self.second = value
        else:
            self.first = value
    def __lt__(self, other):
        return self.first < other.first
    def __eq__(self, other):
        return self.first == other.first

class Spring:
    def __init__(self, constant):
        self.constant = constant
        self.law = np.sin
    def force(self, x):
        return self.constant * x
    @property
    def stiffness(self):
        return self.constant * 3.0

@dataclass(frozen=True)
class Layer:
    name: str
    weight: float = field(default=1.0, compare=False)
    def __call__(self, x):
        return self.weight * x * x

SPRING, LAYER = Spring(2.0), Layer('d', 2.0)

def helper(v, by=0.5):
    return v * by

def keyed(v, *, by=0.25):
    return v + by

'''
CHANGES = (
    'Spring.force = lambda self, x: self.constant * x * x', 'SPRING.force = lambda x: 7.0 * x',
    'Spring.stiffness = property(lambda self: 10.0)',
    'LAYER = Layer("d", 5.0)', 'helper = lambda v, by=0.1: v - by',
    'helper.__defaults__ = (0.75,)', 'keyed.__kwdefaults__ = {"by": 2.0}',
    'Pair.scaled = lambda self, by: self.second + by', 'Pair.norm = property(lambda self: self.first)',
    'Pair.__add__ = lambda self, other: Pair(self.first, other.second)',
    'SPRING.constant = 4.0', 'SPRING.law = np.cos', 'Pair.kind = staticmethod(lambda: 5)', 'Pair.__len__ = lambda self: 3',
    'Floor.__set__ = lambda self, owner, v: setattr(owner, "_clamped", 2.0 * v)',
    'Pair.of = classmethod(lambda cls, v: cls(3.0 * v, v))', 'helper.__code__ = (lambda v, by=0.5: v * by * by).__code__',
    'Pair.__bool__ = lambda self: True',
    'SPRING = Spring(-1.0)',
    'class Stiff(Spring):\n    def force(self, x):\n        return 9.0 * x\nSPRING.__class__ = Stiff',
    'Pair.__getitem__ = lambda self, k: self.first + k', 'Pair.__lt__ = lambda self, other: False',
    'LAYER.__dict__["weight"] = 11.0', 'pass',
)


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = ['s, p, q, y = 0.0, Pair(x[0], 0.4), Pair(0.7, x[-1]), x', *GRAMMAR.block(chance, 3, 4, 5)]
    lines += [f'return {GRAMMAR.text("number", chance, depth=2)} + s + p.first * q.second']
    changes = ['global SPRING, LAYER, helper']
    for k in (1, 2):
        changes += [f'if k == {k}:', *(f'    {part}' for part in chance.choice(CHANGES).split('\n'))]
    text = HEAD + 'def change(k):\n' + body(changes) + '\ndef program(x, n):\n' + body(lines)
    made = tuple((uniform(chance, size), chance.choice((0, 1, 2))) for size in (2, 2, 3))
    return Dialogue(text, made)
