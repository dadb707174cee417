"""Random programs in the core language, and running a program as the Python text that is emitted for it."""
from __future__ import annotations

import copy
from random import Random

import numpy as np

from transpiler.core.language import Core
from transpiler.core.text import parse
from transpiler.source.writing.emit import emit
from transpiler.values.dims import Dim
from transpiler.values.types import FLOAT, INT, Array, Tape

ROW = Array(np.dtype(np.float64), (Dim.symbol('n', large=True),))
SIZE = 4


def run(core: Core, arguments: dict):
    """Execute the emitted text of `core` on copies of the arguments: the result, and the arguments afterwards."""
    namespace: dict = {}
    exec(emit(core).text, namespace)
    arguments = copy.deepcopy(arguments)
    with np.errstate(all='ignore'):
        result = namespace[core.name](**arguments)
    return result, arguments


def arguments(seed: int = 0) -> dict:
    rng = np.random.default_rng(seed)
    return {'a': 0.75, 'b': -1.25, 'x': rng.normal(size=SIZE), 'y': rng.normal(size=SIZE)}


class Generator:
    """Writes a random program over two numbers and two arrays: branches, loops, views, writes, tapes, rebound names."""

    def __init__(self, random: Random):
        self.random, self.count = random, 0
        self.numbers, self.arrays = ['a', 'b'], ['x', 'y']
        self.types: dict = {'a': FLOAT, 'b': FLOAT, 'x': ROW, 'y': ROW}
        self.once: set[str] = set()

    def program(self, size: int = 14) -> Core:
        lines = self.block(size, depth=0)
        if self.random.random() < 0.7:
            tops = [i for i, line in enumerate(lines) if not line.startswith(' ') and not line.startswith('else')]
            lines.insert(self.random.choice(tops), '# pullback')
        results = [self.number(), self.number(), self.array(), self.random.choice(self.arrays)]
        lines.append(f'return {", ".join(results)}')
        temporaries = [name for name in sorted(self.types) if name not in 'abxy' and self.random.random() < 0.6]
        return parse('\n'.join(lines), types=self.types, temporaries=temporaries, params=['a', 'b', 'x', 'y'])

    def number(self) -> str:
        return self.random.choice(self.numbers)

    def array(self) -> str:
        return self.random.choice(self.arrays)

    def define(self, kind: str, value: str, again: bool = True) -> str:
        """An assignment to a new name, or now and then to one that exists."""
        pool = self.numbers if kind == 'number' else self.arrays
        if again and len(pool) > 2 and self.random.random() < 0.25:
            return f'{self.random.choice(pool[2:])} = {value}'
        self.count += 1
        name = f'{"s" if kind == "number" else "v"}_{self.count}'
        self.types[name] = FLOAT if kind == 'number' else ROW
        pool.append(name)
        return f'{name} = {value}'

    def block(self, size: int, depth: int, index: str = '1') -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            kinds = ['scalar'] * 6 + ['vector'] * 6 + ['write'] * 3 + ['share', 'share', 'clear', 'fill']
            kinds += ['if', 'loop', 'while', 'tape'] if depth < 2 else []
            lines += getattr(self, '_' + self.random.choice(kinds))(depth, index)
        return lines

    def _scalar(self, depth: int, index: str) -> list[str]:
        a, b = self.number(), self.number()
        return [self.define('number', self.random.choice([
            f'{a} * {b}', f'{a} + {b}', f'{a} - {b}', f'-{a}', f'0.5 * {a}', f'{a} * 1.0', f'0.0 + {a}', f'{a} / 2.0',
            f'{a} ** 2', a, f'{self.array()}[{index}]', '0.25', f'{a} * -2.0']))]

    def _vector(self, depth: int, index: str) -> list[str]:
        v, w, s = self.array(), self.array(), self.number()
        return [self.define('array', self.random.choice([
            f'{v} * {w}', f'{v} + {w}', f'{v} - {w}', f'-{v}', f'{s} * {v}', f'{v} * 1.0', f'{v} / 4.0', f'np.sin({v})',
            f'np.tanh({v})', f'np.zeros_like({v})', f'np.full_like({v}, {s})', f'np.copy({v})', f'{v} + 0.0',
            f'{v} * {s}', f'{v} ** 2']))]

    def _share(self, depth: int, index: str) -> list[str]:
        return [self.define('array', self.random.choice([self.array(), f'{self.array()}[::-1]', f'{self.array()}[0:]']))]

    def _write(self, depth: int, index: str) -> list[str]:
        place, symbol = self.random.choice([index, '0', '1:3', '...']), self.random.choice(['=', '+='])
        target = f'{self.array()}[{place}] {symbol} '
        return [target + (self.array() if place == '...' and self.random.random() < 0.5 else self.number())]

    def _clear(self, depth: int, index: str) -> list[str]:
        """A place is set to zero and added to, as pullbacks of writes do."""
        array, other, size = self.array(), self.random.choice([index, '-1', '0', '...']), self.random.randint(0, 3)
        between = [line for _ in range(size) for line in self._scalar(depth, index) + [self._addition(array, other)]]
        place = self.random.choice([index, '...'])
        return [f'{array}[{place}] = 0.0', *between, self._addition(array, place)]

    def _addition(self, array: str, place: str) -> str:
        whole = place == '...' and self.random.random() < 0.7
        return f'{array}[{place}] += {self.random.choice([array, self.array()]) if whole else self.number()}'

    def _fill(self, depth: int, index: str) -> list[str]:
        """A new array of zeros that is added to as a whole."""
        source, new = self.array(), self.define('array', f'np.zeros_like({self.array()})', again=False)
        return [new, *self._scalar(depth, index), f'{self.arrays[-1]}[...] += {source}']

    def inside(self, depth: int, index: str) -> list[str]:
        """A block of its own: what it defines is not read after it."""
        numbers, arrays = list(self.numbers), list(self.arrays)
        lines = self.block(self.random.randint(1, 4), depth + 1, index)
        self.numbers, self.arrays = numbers, arrays
        return ['    ' + line for line in lines]

    def _if(self, depth: int, index: str) -> list[str]:
        self.count += 1
        test = f'c_{self.count}'
        self.types[test] = FLOAT
        lines = [f'{test} = {self.number()} > {self.number()}', f'if {test}:', *self.inside(depth, index)]
        return lines + (['else:', *self.inside(depth, index)] if self.random.random() < 0.6 else [])

    def _loop(self, depth: int, index: str) -> list[str]:
        self.count += 1
        name = f'i_{self.count}'
        self.types[name] = INT
        bounds = self.random.choice(['3', '0', '1, 4', '2, -1, -1'])
        return [f'for {name} in range({bounds}):', *self.inside(depth, name)]

    def _while(self, depth: int, index: str) -> list[str]:
        self.count += 1
        counter = f'k_{self.count}'
        self.types[counter] = INT
        return [f'{counter} = 0', f'while {counter} < 2:', *self.inside(depth, counter), f'    {counter} = {counter} + 1']

    def _tape(self, depth: int, index: str) -> list[str]:
        """Values are pushed in a loop and popped in a second one."""
        self.count += 1
        tape, forth, back = f't_{self.count}', f'i_{self.count}', f'j_{self.count}'
        self.types.update({tape: Tape(ROW), forth: INT, back: INT})
        lines = [f'{tape} = tape.new()', f'for {forth} in range(2):', *self.inside(depth, forth),
                 f'    tape.push({tape}, {self.array()})', f'for {back} in range(2):']
        arrays = list(self.arrays)
        lines.append('    ' + self.define('array', f'tape.pop({tape})', again=False))
        lines += self.inside(depth, back)
        self.arrays = arrays
        return lines
