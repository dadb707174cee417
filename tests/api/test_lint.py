"""What the lint says, in which words, and where it keeps quiet."""
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import transpiler as tp
from tests import targets
from tests.test_targets import CASES as TARGETS

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / 'tests' / 'golden' / 'lint'
RULE = '-' * 40 + '\n'
X = np.array([0.5, 1.5, 2.5])
table = np.ones(3)


def bucket(z):
    return int(np.floor(z * 3.0))


def casts(x, w):
    k = bucket(x[0])
    return k * w + np.sum(x) + x.astype(int).sum()


def roundings(x, width):
    cell = x // width
    return np.sum((x - cell) ** 2) + np.sum(np.sign(x)) + np.round(width)


def accuracy(x, w):
    above = x > 0.5
    return np.mean(above) + np.sum(x) * w


def positions(x, w):
    best = np.argmax(x)
    return w[best] * np.sum(x[np.argsort(x)][:2])


def only_positions(x, w):
    return w[np.argmax(x)] * 2.0


def equality(x, y):
    if x == 1.0:
        return y
    return x * y


def without_influence(params, x, used, flag):
    dead = params['b'] * 2.0
    return np.sum(params['w'] * x)


def effects(x):
    print(x)
    table[0] = x[0]
    x[1] = 0.0
    return np.sum(x)


def integers(counts, x):
    return np.sum(counts * x)


def kinks(x, tolerance):
    if x > 0.0:
        x = x * x
    while abs(x) > tolerance:
        x = 0.5 * x
    return x


def refused(x):
    return np.random.normal() * x


def into_integers(x):
    counts = np.zeros(3, dtype=int)
    counts[0] = x
    return counts[0] * x


def ignored(x):
    return x * int(x)       # lint: ignore


def quiet(x, indices, n):
    """Selections, kinks of maxima, tests for nan, shapes and flags are nothing to speak of."""
    total = np.zeros_like(x)
    for i in range(n):
        total[indices[i]] += np.abs(x[i]) * max(x[i], 1.0)
    return np.sum(np.where(x > 1.0, total, x)) / len(x) + np.max(x) + np.median(x) + np.interp(0.5, x, total)


CASES = {
    'casts': (casts, X, 2.0), 'roundings': (roundings, X, 0.5), 'accuracy': (accuracy, X, 2.0), 'positions': (positions, X, X),
    'only_positions': (only_positions, X, X), 'equality': (equality, 2.0, 3.0),
    'without_influence': (without_influence, {'w': X, 'b': 1.0}, X, 1.0, 2), 'effects': (effects, X),
    'integers': (integers, np.arange(3), X), 'kinks': (kinks, 4.0, 0.1), 'refused': (refused, 1.0),
    'into_integers': (into_integers, 2.0),
}


@pytest.mark.parametrize('name', CASES)
def test_messages(name, golden):
    f, *args = CASES[name]
    text = '\n'.join(str(tp.lint(f, *args)).splitlines())
    start = f.__code__.co_firstlineno
    for line in range(start + 12, 0, -1):       # lines counted from the function's own first
        text = text.replace(f'{Path(__file__).name}:{line}:', f'<{line - start + 1}>:')
    golden(GOLDEN / f'{name}.txt', text + '\n')


@pytest.mark.parametrize('name', TARGETS)
def test_the_targets_are_clean(name):
    assert list(tp.lint(getattr(targets, name), *TARGETS[name])) == []


def test_digits_are_clean():
    spec = importlib.util.spec_from_file_location('digits', ROOT / 'notebooks' / 'digits.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert len(tp.lint(module.loss).all) == 0


def test_what_is_right_is_not_spoken_of():
    found = tp.lint(quiet, X, np.array([0, 0, 2]), 3)
    assert (len(found), len(found.notes), str(found)) == (0, 0, 'nothing to say')


def test_lengths_are_no_numbers_of_the_parameter():
    def mean(x):
        return np.sum(x * len(x)) / len(x)

    def of_some(x):
        positive = [v for v in x if v > 0.0]
        return sum(positive) / len(positive)

    assert str(tp.lint(mean)) == str(tp.lint(mean, X)) == 'nothing to say'
    assert len(tp.lint(of_some, X)) == 0


def test_a_line_can_be_left_out():
    assert not tp.lint(ignored, 2.5)


def test_findings_are_a_sequence():
    found = tp.lint(tp.grad(casts), X, 2.0)
    assert [f.kind for f in found] == ['cut', 'cut'] and found[0] is found.warnings[0]
    first = found[0]
    assert (first.level, first.origin.file.endswith('test_lint.py'), first.origin.text.strip()) == (
        'warning', True, 'return int(np.floor(z * 3.0))')
    assert first.origin.text[first.origin.column:].startswith('np.floor')
    assert str(found) == '\n'.join(map(str, found.all))


def test_on_a_terminal_it_is_coloured():
    console = Console(width=80, force_terminal=True, color_system='standard')
    with console.capture() as captured:
        console.print(tp.lint(casts, X, 2.0), soft_wrap=True)
    assert '\x1b[1;33mwarning:' in captured.get()
    assert re.sub(r'\x1b\[[0-9;]*m', '', captured.get()).rstrip('\n') == str(tp.lint(casts, X, 2.0))


def annotated(x: 'float64[n]'):
    return np.sum(x * np.rint(x))


def test_annotations_do_without_examples():
    assert [f.kind for f in tp.lint(annotated)] == ['cut']
