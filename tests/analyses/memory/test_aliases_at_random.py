"""Property: where names of a small random program come to share memory, the analyses of aliases say that they may."""
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from transpiler.analyses.memory.aliases import memory, roots_within
from transpiler.analyses.memory.flow_sensitive_aliases import overlap
from transpiler.core.query import walk
from transpiler.core.text import parse
from transpiler.values.types import INT, Array, Tape

ROW = Array(np.dtype(float), (None,))
ARRAYS, LISTS = ('x', 'y', 'a', 'b', 'c', 'd'), ('t', 'u')
TYPES = dict.fromkeys(ARRAYS, ROW) | dict.fromkeys(LISTS, Tape(ROW, True)) | dict.fromkeys(('n', 'p', 'i', 'j'), INT)
SIMPLE = [('{0} = {1}', '{0} = {1}'), ('{0} = {1}', '{0} = {1}'), ('{0} = {1}[1:]', '{0} = {1}[1:] if {1}.size > 2 else {1}'),
          ('{0} = {1}[::-1]',) * 2, ('{0} = np.transpose({1})',) * 2, ('{0} = {1} + {2}', '{0} = {1}[-1] + {2}'),
          ('{0} = np.copy({1})',) * 2, ('{0}[0] = 1.0',) * 2, ('{0} = np.asarray({1})',) * 2]
ON_LISTS = [('tape.push({3}, {1})', '{3}.append({1})'), ('tape.push({3}, {1})', '{3}.append({1})'),
            ('{0} = tape.item({3}, 0)', '{0} = {3}[0] if {3} else np.zeros(3)'), ('{3} = {4}',) * 2,
            ('{3} = tape.list()', '{3} = []'), ('{0} = tape.pop({3})', '{0} = {3}.pop() if {3} else np.zeros(3)')]


@dataclass
class Writer:
    """The same program twice: in the core language, and as Python that tells `seen` of the names after every statement."""

    draw: random.Random
    with_lists: bool
    core: list[str] = field(default_factory=list)
    python: list[str] = field(default_factory=list)

    def line(self, depth: int, core: str, python: str | None = None) -> None:
        self.core.append('    ' * depth + core)
        self.python.append('    ' * (depth + 1) + (core if python is None else python))

    def told(self, depth: int) -> None:
        self.python.append('    ' * (depth + 1) + f'seen({len(self.core)}, locals())')

    def block(self, depth: int, length: int) -> None:
        for _ in range(length):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kind = self.draw.random()
        if depth < 3 and kind < 0.2:
            self.line(depth, f'for {"ijk"[depth]} in range(0, n, 1):')
            self.block(depth + 1, self.draw.randint(1, 4))
        elif depth < 3 and kind < 0.3:
            self.line(depth, 'if p:')
            self.block(depth + 1, self.draw.randint(1, 2))
            self.line(depth, 'else:')
            self.block(depth + 1, self.draw.randint(1, 2))
        else:
            draw = self.draw
            given = [draw.choice(ARRAYS[2:]), draw.choice(ARRAYS), draw.choice(ARRAYS), *draw.sample(LISTS, 2)]
            forms = self.draw.choice(SIMPLE + ON_LISTS * self.with_lists)
            self.line(depth, *(form.format(*given) for form in forms))
            self.told(depth)


def program(seed: int) -> tuple[str, str]:
    draw = random.Random(seed)
    writer = Writer(draw, with_lists=draw.random() < 0.5)
    for name in ARRAYS[2:]:
        writer.line(0, *[draw.choice([f'{name} = np.zeros(4)', f'{name} = x', f'{name} = y[1:]'])])
        writer.told(0)
    for name in LISTS:
        writer.line(0, f'{name} = tape.list()', f'{name} = []')
        writer.told(0)
    writer.block(0, draw.randint(3, 6))
    return '\n'.join([*writer.core, 'return a']), '\n'.join(['def f(x, y, n, p):', *writer.python])


def buffer_of(array: np.ndarray) -> np.ndarray:
    while array.base is not None:
        array = array.base
    return array


class Truth:
    """What happens when the program runs: every memory that a name has had, and who shares memory after each statement."""

    def __init__(self, text: str, python: str):
        self.core = parse(text, types=TYPES, params=['x', 'y', 'n', 'p'])
        self.statements = {s.origin.line: s for s in walk(self.core.body)}
        self.had: dict[str, set[int]] = {}
        self.shared: set[tuple[int, str, str]] = set()
        self.written: set[int] = set()
        self.alive: list = []
        self.last: set[tuple[str, str]] = set()
        self.ends: set[tuple[str, str]] = set()
        space = {'np': np, 'seen': self.seen}
        exec(python, space)
        for turns in (0, 1, 2, 3):
            for flag in (False, True):
                space['f'](np.arange(4.0), np.arange(5.0, 9.0), turns, flag)
                self.ends |= self.last

    def seen(self, line: int, names: dict) -> None:
        arrays = {k: v for k, v in names.items() if isinstance(v, np.ndarray)}
        memories = {k: id(buffer_of(v)) for k, v in arrays.items()} | {k: id(v) for k, v in names.items() if isinstance(v, list)}
        for name, one in memories.items():
            self.alive.append(names[name])
            self.had.setdefault(name, set()).add(one)
        pairs = [(a, b) for a in arrays for b in arrays if a < b and np.shares_memory(arrays[a], arrays[b])]
        self.shared |= {(line, a, b) for a, b in pairs}
        self.last = set(pairs)
        text = self.statements[line].origin.text.strip()
        if '] =' in text or 'tape.p' in text:
            name = text[0] if '] =' in text else text.split('(')[1][0]
            self.written.add(memories[name])

    def apart(self, one: str, other: str) -> bool:
        return self.had[one].isdisjoint(self.had[other])


@pytest.mark.parametrize('first', range(0, 250, 50))
def test_whatever_shares_memory_may_alias(first):
    for seed in range(first, first + 50):
        truth = Truth(*program(seed))
        found, ways = memory(truth.core), overlap(truth.core)
        names = sorted(truth.had)
        told = f'seed {seed}:\n{program(seed)[0]}'
        for k, one in enumerate(names):
            for other in names[k + 1:]:
                if {one, other} != {'x', 'y'} and (one in LISTS) == (other in LISTS):
                    assert truth.apart(one, other) or found.may_alias(one, other), f'{one} and {other} of {told}'
            if truth.had[one] & truth.written:
                roots = found.list_itself(one) if one in LISTS else found.of(one)
                assert roots & found.written, f'writes into {one} of {told}'
        for line, one, other in truth.shared:
            assert other in ways.partners(one, truth.statements[line]), f'{one} and {other} after line {line} of {told}'


@pytest.mark.parametrize('first', range(0, 250, 50))
def test_a_part_of_a_program_knows_nothing_of_what_was_before(first):
    for seed in range(first, first + 50):
        truth = Truth(*program(seed))
        for start in range(0, len(truth.core.body) - 1, 2):
            part = list(truth.core.body[start:-1])
            for own in ((), ('x', 'y')) if start == 0 else ((),):
                roots = roots_within(part, TYPES, ARRAYS, own)
                for one, other in truth.ends:
                    assert roots[one] & roots[other], f'{one} and {other} of seed {seed} from {start}:\n{program(seed)[0]}'
