"""Random nests of loops, left and cut short at every level: against finite differences, to second order, compiled."""
from random import Random

import pytest

import transpiler as tp
from tests.support import check

STEPS = (
    's = 0.7 * s + 0.3 * x * t',
    't = 0.5 * np.sin(t) - 0.2 * s * y',
    's = s + 0.1 * x * np.cos(s)',
    't = t * 0.9 + 0.1 * s * x * y',
    'r = s * t',
    's = s * 0.8 + 0.1 * r',
)
TESTS = ('s > {c}', 't < {c}', 's * t > {c}', '{i} % 3 == 1', '{i} == 2', 'not s < {c}',
         's > {c} and {i} > 0', 't < -{c} or {i} == 3')


class Nest:
    """`lines(depth)` are the statements of one random block."""

    def __init__(self, seed: int):
        self.chance = Random(seed)
        self.count = 0

    def pick(self, options):
        return options[self.chance.randrange(len(options))]

    def test(self, index: str) -> str:
        return self.pick(TESTS).format(c=round(self.chance.uniform(-0.5, 1.5), 3), i=index)

    def exit(self, words: tuple[str, ...]) -> str:
        return self.pick((*words, 'return s * t + r', 'return s * s'))

    def branch(self, index: str, words: tuple[str, ...]) -> list[str]:
        inner = [self.pick(STEPS)] if self.chance.random() < 0.4 else []
        inner.append(self.exit(words))
        if self.chance.random() < 0.3:
            inner = [f'if {self.test(index)}:', *indented(inner), *([self.pick(STEPS)] if self.chance.random() < 0.5 else [])]
        other = ['else:', *indented([self.pick(STEPS)])] if self.chance.random() < 0.3 else []
        return [f'if {self.test(index)}:', *indented(inner), *other]

    def loop(self, depth: int) -> list[str]:
        self.count += 1
        index, turns = f'i{self.count}', self.pick((2, 3, 5))
        head = [f'for {index} in range({turns}):']
        if self.chance.random() < 0.35:
            head = [f'{index} = -1', self.pick((f'while {index} < {turns}:', f'while ({index} := {index} + 1) < {turns}:'))]
        elif self.chance.random() < 0.15:
            head = [f'for {index} in (1.5, 2, 3):']
        step = [f'{index} += 1'] if head[-1].startswith(f'while {index}') else []
        body = [*step, *self.block(depth + 1, index)]
        other = ['else:', *indented([self.pick(STEPS)])] if self.chance.random() < 0.3 else []
        return [*head, *indented(body), *other]

    def block(self, depth: int, index: str) -> list[str]:
        lines = [self.pick(STEPS)]
        for _ in range(self.pick((1, 2))):
            if depth == 1 and self.chance.random() < 0.5:
                lines += self.loop(depth)
            elif depth:
                lines += self.branch(index, ('break', 'continue'))
            lines.append(self.pick(STEPS))
        return lines

    def text(self) -> str:
        body = ['s, t, r = x, y, 0.3 * x', *self.loop(0), 'return s + t * r']
        return '\n'.join(['import numpy as np', 'def program(x, y):', *indented(body)]) + '\n'


def indented(lines: list[str]) -> list[str]:
    return ['    ' + line for line in lines]


def program(seed: int):
    return tp.from_source(Nest(seed).text())


@pytest.mark.parametrize('seed', range(15))
def test_first_order(seed):
    check(lambda transformed: transformed, program(seed), 0.83, 1.27, argnums=(0, 1))


@pytest.mark.parametrize('seed', range(40, 43))
def test_second_order(seed):
    check(lambda transformed: transformed, program(seed), 0.83, 1.27, order=2)


@pytest.mark.parametrize('seed', range(50, 52))
def test_compiled(seed):
    check(tp.jit, program(seed), 0.83, 1.27, argnums=(0, 1))
