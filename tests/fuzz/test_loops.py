"""Random loops of turns that are more or less independent, against finite differences: merged ones, and ones that must not be."""

import random

import numpy as np
import pytest

import transpiler as tp

SIZE = 4


def expression(rng: random.Random, numbers: list[str]) -> str:
    kinds = [
        'x[i]', 'w[i]', f'x[i] * w[{rng.choice(["0", "i", "-1"])}]', f'{rng.choice("yz")}[{rng.choice(["i", "i", "0"])}]',
        f'{rng.uniform(-1, 1):.2f}', *numbers, *(f'np.sin({number})' for number in numbers)]
    return rng.choice(kinds)


def turn(rng: random.Random) -> list[str]:
    """The statements of one turn."""
    numbers: list[str] = []
    made: list[str] = []
    e = lambda: expression(rng, numbers)
    for _ in range(rng.randrange(2, 6)):
        name, array = rng.choice(('a', 'b')), rng.choice('yz')
        place = rng.choice(['i', '0', 'n - 1 - i'])
        rows = rng.choice([
            [f'{name} = {e()} * {e()} + {e()}'],
            [f's += {e()} * {e()}'],
            [f'{array}[i] = {e()} * {e()}'],
            [f'{array}[{place}] += {e()} * {e()}'],
            [f'{name} = {e()}', f'for j in range({rng.choice(["3", "i", "n"])}):',
             f'    {name} = 0.5 * np.tanh({name} * {e()}) + {e()}',
             rng.choice([f'    s += {e()} * x[j]', f'    y[j] += {e()}', '    pass'])],
            [f'if {e()} > 0.1:', f'    s += {e()} * {e()}', 'else:', f'    s -= {e()} * {e()}'],
            [f'row = np.zeros(3) + {e()}', f'row[1:] *= {e()}', 's += np.sum(row * row)'],
            [f'c = {e()} + 0.5 * c'],
        ])
        made += rows
        if rows[0].startswith(f'{name} = ') and name not in numbers:
            numbers.append(name)
    return made


def program(seed: int) -> str:
    rng = random.Random(seed)
    rows = ['s, c, y, z = 0.0, 0.3, np.zeros(n), np.ones(n)']
    for _ in range(rng.randrange(1, 3)):
        rows.append(rng.choice(['for i in range(n):', 'for i in range(n):', 'for i in range(n - 1, -1, -1):']))
        rows += ['    ' + row for row in turn(rng)]
        rows.append(rng.choice(['w = w * 1.5', 'x[0] = s', 'y *= 0.5', 's = np.sin(s)', 'pass', 'pass']))
    rows.append('return ' + rng.choice([
        's', '2.0 * s', 's + np.sum(y)', 'np.sum(3.0 * y) + s', 's * s', 'np.sum(y * z) + s', 'np.sum(w * y) + c',
        's + c + np.sum(x)']))
    return '\n'.join(['import numpy as np', '', 'def program(x, w, n):', *('    ' + row for row in rows)])


@pytest.mark.parametrize('seed', range(60))
def test_value_and_gradient(seed):
    text = program(seed)
    f = tp.from_source(text)
    rng = np.random.default_rng(seed)
    x, w, *steps = rng.normal(size=(4, SIZE))
    value, slopes = tp.value_and_grad(f, argnums=(0, 1))(x.copy(), w.copy(), SIZE)
    at = lambda h: f(x + h * steps[0], w + h * steps[1], SIZE)
    assert np.isclose(value, at(0.0), rtol=1e-9), text
    differences = [(at(h) - at(-h)) / (2 * h) for h in (1e-4, 1e-5, 1e-6)]
    found = sum(np.sum(part * step) for part, step in zip(slopes, steps, strict=True))
    assert min(abs(d - found) / (1 + abs(d)) for d in differences) < 1e-4, text
