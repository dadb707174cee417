"""Which loads read memory that stays as it is: known programs, and random ones that are run with every access recorded."""

from __future__ import annotations

import textwrap
from random import Random

import gast
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from transpiler.analyses.polyhedral.dependence import Dependence
from transpiler.core.query import walk
from transpiler.core.text import parse
from transpiler.values.dims import Dim
from transpiler.values.types import BOOL, INT, Array

FLOAT64 = np.dtype(np.float64)


def array(*sizes: str) -> Array:
    return Array(FLOAT64, tuple(Dim.symbol(size, large=True) for size in sizes))


def intact(text: str, *integers: str, **types) -> dict[str, bool]:
    """The answer for every name that is loaded from an array."""
    core = parse(text, types={**dict.fromkeys(['n', 'm', 'r', *integers], INT), **types})
    found = Dependence(core)
    return {
        s.targets[0].id: found.intact(s)
        for s in walk(core.body)
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and isinstance(s.value, gast.Subscript)
    }


def test_recurrence():
    found = intact('''
    x = np.zeros(n)
    for i in range(2, n):
        h = i - 1
        k = i - 2
        a = x[h]
        b = x[k]
        c = x[i]
        x[i] = a
    d = x[3]
    return x''', 'h', 'k')
    assert found == {'a': True, 'b': True, 'c': False, 'd': True}


def test_rows_that_change_places():
    """The row of the largest element stands at or below the one that it takes the place of."""
    text = '''
    for k in range(n):
        far = SEARCH(v)
        other = k + far
        a[k, 0] = 1.0
        a[other, 0] = 2.0
        first = k + 1
        for i in range(first, n):
            row = a[k, 0]
            below = a[i, 0]
            a[i, 0] = row
    return a'''
    names, types = ('k', 'i', 'far', 'other', 'first'), {'a': array('n', 'n'), 'v': array('n')}
    assert intact(text.replace('SEARCH', 'np.argmax'), *names, **types) == {'row': True, 'below': False}
    assert intact(text.replace('SEARCH', 'np.sum'), *names, **types) == {'row': False, 'below': False}


def test_the_length_of_a_range():
    text = '''
    turns = len(range(0, n, 2))
    for i in range(0, n, 1):
        early = x[i]
    for i in range(0, turns, 1):
        j = i + START
        late = x[i]
        x[j] = 1.0
    return x'''
    found = [intact(text.replace('START', start), 'i', 'j', 'turns', x=array('n'))['late'] for start in ('0', 'turns')]
    assert found == [False, True]


def test_lu():
    found = intact('''
    for k in range(n):
        first = k + 1
        for i in range(first, n):
            p = a[i, k]
            pivot = a[k, k]
            q = p / pivot
            a[i, k] = q
            for j in range(first, n):
                left = a[i, k]
                up = a[k, j]
                here = a[i, j]
                a[i, j] = here
    return a''', 'first')
    assert found == {'p': False, 'pivot': True, 'left': True, 'up': True, 'here': False}


def test_lu_with_slices():
    found = intact('''
    for k in range(n):
        s = k + 1
        p = a[k, k]
        col = a[s:, k]
        a[s:, k] = p
        left = a[s:, k]
        up = a[k, s:]
        rest = a[s:, s:]
        a[s:, s:] = rest
    return a''', 's', a=array('n', 'n'))
    assert found == {'p': True, 'col': False, 'left': True, 'up': True, 'rest': False}


def test_cholesky_in_a_branch():
    found = intact('''
    for i in range(n):
        e = i + 1
        for j in range(e):
            for k in range(j):
                p = l[i, k]
                q = l[j, k]
            diagonal = i == j
            if diagonal:
                s = l[i, i]
                l[i, j] = 1.0
            else:
                r = l[j, j]
                l[i, j] = r
    return l''', 'e', diagonal=BOOL)
    assert found == {'p': True, 'q': True, 's': False, 'r': True}


def test_substitution_downwards():
    found = intact('''
    for i in range(n, -1, -1):
        k = i + 1
        later = x[k]
        for j in range(k, n):
            done = x[j]
            here = x[i]
            x[i] = here
        x[i] = later
    return x''', 'k')
    assert found == {'later': True, 'done': True, 'here': False}


def test_table():
    found = intact('''
    for i in range(1, n):
        for j in range(1, m):
            h = i - 1
            k = j - 1
            a = d[h, j]
            b = d[i, k]
            c = d[h, k]
            d[i, j] = a
    return d''', 'h', 'k')
    assert found == {'a': True, 'b': True, 'c': True}


def test_sweep_in_place():
    text = '''
    for t in range({sweeps}):
        for i in range(1, n):
            h = i - 1
            k = i + 1
            a = u[h]
            b = u[k]
            u[i] = b
    return u'''
    assert intact(text.format(sweeps='m'), 'h', 'k') == {'a': False, 'b': False}
    assert intact(text.format(sweeps='1'), 'h', 'k') == {'a': True, 'b': False}


def test_negative_indices_come_from_the_end():
    text = '''
    last = x[-1]
    for i in range({start}, n):
        h = i - 1
        before = x[h]
        x[i] = before
    return x'''
    assert intact(text.format(start=0), 'h', x=array('n')) == {'last': False, 'before': False}
    assert intact(text.format(start=1), 'h', x=array('n')) == {'last': False, 'before': True}


def test_history_of_states():
    found = intact('''
    u = np.zeros((n, m))
    e = n - 1
    for t in range(e):
        k = t + 1
        state = u[t]
        left = state[:-2]
        right = u[t, 2:]
        u[k, 1:-1] = left
    return u''', 'k', 'e', u=array('n', 'm'), state=array('m'))
    assert found == {'state': True, 'left': True, 'right': True}


def test_odd_and_even():
    found = intact('''
    for i in range(0, n, 2):
        even = x[i]
        k = i + 1
        x[k] = even
    part = x[1::2]
    x[::2] = part
    return x''', 'k')
    assert found == {'even': False, 'part': True}


def test_counter_of_a_while_loop():
    found = intact('''
    k = 1
    more = k < n
    while k < n:
        h = k - 1
        a = x[h]
        x[k] = a
        k_next = k + 1
        k = k_next
    return x''', 'k', 'h', 'k_next', more=BOOL)
    assert found == {'a': True}


def test_new_memory_every_turn():
    found = intact('''
    total = np.zeros(n)
    for i in range(m):
        row = np.zeros(n)
        a = row[0]
        row[1] = a
        b = row[1]
        row[1] = b
        c = total[0]
        total[0] = c
    return total''')
    assert found == {'a': True, 'b': False, 'c': False}


@pytest.mark.parametrize('write', ['y[j] = 1.0', 'np.copyto(y, x)', 'y[mask] = 1.0', 'np.add.at(y, j, 1.0)'])
def test_unsure_of_aliases_gathers_and_calls(write):
    """`x` and `y` may be one array of the caller."""
    core = parse(f'''
    a = x[0]
    {write}
    return y''', types={'j': INT, 'x': array('n'), 'y': array('n'), 'mask': Array(np.dtype(bool), None)})
    assert not Dependence(core).intact(core.body[0])
    assert not Dependence(core).intact_read('x', core.body[0])


def test_arrays_of_their_own():
    core = parse('''
    y = np.zeros(n)
    a = x[0]
    y[j] = 1.0
    z = y * 2.0
    return z''', types={'j': INT, 'n': INT})
    found = Dependence(core)
    assert found.intact(core.body[1]) and found.intact_read('x', core.body[1]) and found.intact_read('y', core.body[3])
    assert not found.intact_read('y', core.body[2])


def test_names_that_change_are_no_constants():
    found = intact('''
    k = 0
    for i in range(n):
        a = x[k]
        x[i] = a
        c = i > 3
        if c:
            k = i
    return x''', 'k', c=BOOL)
    assert found == {'a': False}


# random programs


class Recorder:
    """An array of the numbers of its elements; loads and writes are told to the log."""

    def __init__(self, log: 'Log', elements):
        self.log, self.elements = log, elements

    def __getitem__(self, index):
        found = self.elements[index]
        self.log.read(np.ravel(found))
        return Recorder(self.log, found) if isinstance(found, np.ndarray) else 1

    def __setitem__(self, index, value):
        self.log.write(np.ravel(self.elements[index]))


class Log:
    """Which loads have had an element overwritten that they once read."""

    def __init__(self):
        self.load = ''
        self.readers: dict[int, set[str]] = {}
        self.overwritten: set[str] = set()

    def at(self, load: str) -> None:
        self.load = load

    def read(self, elements) -> None:
        for element in elements:
            self.readers.setdefault(int(element), set()).add(self.load)

    def write(self, elements) -> None:
        for element in elements:
            self.overwritten |= self.readers.get(int(element), set())


class Writer:
    """A random program: loops around loads, writes and branches, with indices made of counters, sizes and constants."""

    def __init__(self, random: Random):
        self.random, self.lines, self.count = random, [], 0

    def name(self, base: str) -> str:
        self.count += 1
        return f'{base}{self.count}'

    def line(self, depth: int, text: str) -> None:
        self.lines.append('    ' * depth + text)

    def atom(self, depth: int, counters: list[str], spread: int = 2) -> str:
        """A constant, or a counter, plus or minus a little, under a name of its own."""
        if not counters or self.random.random() < 0.2:
            return str(self.random.randint(-3, 5))
        shift, factor, name = self.random.randint(-spread, spread), self.random.choice([1, 1, 1, 1, -1, 2]), self.name('k')
        source = self.random.choice(counters)
        if factor != 1:
            scaled = self.name('k')
            self.line(depth, f'{scaled} = {factor} * {source}')
            source = scaled
        if not shift:
            return source
        self.line(depth, f'{name} = {source} + {shift}')
        return name

    def index(self, depth: int, counters: list[str]) -> str:
        if self.random.random() < 0.75:
            return self.atom(depth, counters)
        bounds = [self.atom(depth, counters) if self.random.random() < 0.6 else '' for _ in range(2)]
        return ':'.join(bounds) + self.random.choice(['', '', '', ':2', ':-1', ':-2'])

    def block(self, depth: int, counters: list[str], budget: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.45 and budget:
                self.loop(depth, counters, budget - 1)
            elif kind < 0.55 and budget and counters:
                test = self.name('c')
                other = self.atom(depth, counters)
                self.line(depth, f'{test} = {self.random.choice(counters)} {self.random.choice(["<", ">=", "==", "!="])} {other}')
                self.line(depth, f'if {test}:')
                self.block(depth + 1, counters, budget - 1)
                if self.random.random() < 0.5:
                    self.line(depth, 'else:')
                    self.block(depth + 1, counters, budget - 1)
            else:
                self.access(depth, counters)

    def loop(self, depth: int, counters: list[str], budget: int) -> None:
        counter = self.name('i')
        if self.random.random() < 0.15:
            start = self.atom(depth, counters)
            self.line(depth, f'{counter} = {start}')
            self.line(depth, f'while {counter} < 5:')
            self.block(depth + 1, [*counters, counter], budget)
            more = self.name('k')
            self.line(depth + 1, f'{more} = {counter} + {self.random.choice([1, 2])}')
            self.line(depth + 1, f'{counter} = {more}')
            return
        a, b = self.atom(depth, counters), self.random.choice(['n', 'n', self.atom(depth, counters)])
        step = self.random.choice([1, 1, 1, 2, -1, -1, -2])
        if step < 0:
            a, b = b, a
        self.line(depth, f'for {counter} in range({a}, {b}, {step}):')
        self.block(depth + 1, [*counters, counter], budget)

    def access(self, depth: int, counters: list[str]) -> None:
        index = ', '.join(self.index(depth, counters) for _ in range(2))
        kind = self.random.random()
        if kind < 0.45:
            name = self.name('v')
            self.line(depth, f'at("{name}")')
            self.line(depth, f'{name} = a[{index}]')
        elif kind < 0.6:
            view, name = self.name('w'), self.name('v')
            row = self.index(depth, counters)
            part = self.index(depth, counters)
            if ':' in row:
                part += ', ' + self.atom(depth, counters)
            self.line(depth, f'at("{view}")')
            self.line(depth, f'{view} = a[{row}]')
            self.line(depth, f'at("{name}")')
            self.line(depth, f'{name} = {view}[{part}]')
            if self.random.random() < 0.5:
                self.line(depth, f'{view}[{part}] = 1.0')
        else:
            self.line(depth, f'a[{index}] = 1.0')


def run(lines: list[str]) -> Log | None:
    """The log of a program, or None if it fails."""
    log = Log()
    scope = {'at': log.at, 'n': 5, 'a': Recorder(log, np.arange(48).reshape(6, 8))}
    try:
        exec('\n'.join(lines), scope)
    except IndexError:
        return None
    return log


def types_of(lines: list[str], with_sizes: bool) -> dict:
    names = {line.split('=')[0].strip() for line in lines if ' = ' in line and '[' not in line.split('=')[0]}
    types = {name: BOOL if name[0] == 'c' else INT for name in names if name[0] in 'ikc'}
    size = array('rows', 'columns') if with_sizes else Array(FLOAT64, (None, None))
    return types | {'n': INT, 'a': size}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.booleans())
def test_never_wrong(random, with_sizes):
    writer = Writer(random)
    writer.block(0, [], 3)
    log = run(writer.lines)
    if log is None:
        return
    text = '\n'.join([*(line for line in writer.lines if 'at(' not in line), 'return a'])
    core = parse(textwrap.dedent(text), types=types_of(writer.lines, with_sizes))
    found = Dependence(core)
    claimed = {s.targets[0].id for s in walk(core.body) if isinstance(s, gast.Assign) and found.intact(s)}
    assert not claimed & log.overwritten, text
