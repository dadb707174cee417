"""Turns of an outer loop that each take steps of their own take every step together, in strips."""

import random
import warnings
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp

GOLDEN = Path(__file__).parents[2] / 'golden' / 'strips'
RNG = np.random.default_rng(0)
X, Y = RNG.uniform(0.1, 2.0, size=150), RNG.uniform(0.1, 2.0, size=(7, 150))


def swing(x, y):
    out = np.empty(x.size)
    for b in range(x.size):
        angle, speed = x[b], 0.0
        for t in range(y.shape[0]):
            speed = speed - 0.1 * np.sin(angle) + 0.01 * y[t, b]
            angle = angle + 0.1 * speed
        out[b] = angle
    return out


def roots(x, y):
    out = np.empty(x.size)
    for b in range(x.size):
        a = x[b]
        v = a
        while abs(v * v - a) > 1e-12 * a:
            v = 0.5 * (v + a / v)
        out[b] = v
    return out


def steps_counted(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        v, n = x[b], 0
        while v < 100.0 and n < 40:
            v = v * v + 0.3
            n += 1
        out[b] = n + 1e-3 * v
    return out


def summed_on_the_way(x, y):
    total = 0.0
    for b in range(x.size):
        v = x[b]
        for t in range(y.shape[0]):
            v = np.tanh(v) + y[t, b]
            total += v * v
    return total


def several_loops(x, y):
    out = np.zeros((x.size, 2))
    for b in range(x.size):
        v = x[b]
        for t in range(5):
            v = np.cos(v)
            for _ in range(2):
                v = v * 1.1 - 0.1 * v * v
        out[b, 0] = v
        w = v
        while w > 1e-3:
            w = 0.5 * w * w
        out[b, 1] = w + v
    return out


def flags(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        v, odd = x[b], False
        for t in range(y.shape[0]):
            odd = v > y[t, b]
            v = np.where(odd, np.tanh(v), v + 0.2)
        out[b] = v + odd
    return out


def paths(x, y):
    payoff = 0.0
    for p in range(x.size):
        s = x[p]
        total = 0.0
        for t in range(y.shape[0]):
            s *= np.exp(0.01 * y[t, p])
            if s > 1.0:
                total += s
            else:
                total -= 0.1
        payoff += max(total / 7 - 0.5, 0.0)
    return payoff


def sums_in_branches(x, y):
    up, down = 0.0, 0.0
    for b in range(x.size):
        v = x[b]
        for t in range(4):
            v = np.sin(3.0 * v)
            if v > 0.2:
                up += v
            elif v < -0.2:
                down -= v
                v = -v
    return up, down


TAKEN = {f.__name__: f for f in (
    swing, roots, steps_counted, summed_on_the_way, several_loops, flags, paths, sums_in_branches)}


def rows_summed(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        s = 0.0
        for t in range(y.shape[0]):
            s += y[t, b] * x[t]
        out[b] = s
    return out


def own_number_of_steps(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        v = x[b]
        for _ in range(b % 5):
            v = v * v
        out[b] = v
    return out


def neighbours(x, y):
    out = np.ones(x.size + 1)
    for b in range(x.size):
        v = out[b]
        for _ in range(3):
            v = np.sin(v) + x[b]
        out[b + 1] = v
    return out


def divisors(x, y):
    out = np.zeros(x.size, dtype=np.int64)
    for b in range(x.size):
        n, m = b + 12, 18
        while m != 0:
            n, m = m, n % m
        out[b] = n
    return out


def rows_walked(x, y):
    out = np.zeros(y.shape[0])
    for b in range(y.shape[0]):
        v = x[b]
        for t in range(y.shape[1]):
            v = np.sin(v) + y[b, t]
        out[b] = v
    return out


def looked_up(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        k = b
        while k < x.size and x[k] > 0.5:
            k += 1
        out[b] = k
    return out


def rows_as_state(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        state = y[:, b].copy()
        for _ in range(3):
            state = np.sin(state) * state
        out[b] = np.sum(state)
    return out


LEFT = {f.__name__: f for f in (rows_summed, own_number_of_steps, neighbours, divisors, rows_walked, looked_up, rows_as_state)}


def text(f, *args):
    return tp.jit(f, parallel=False).lower(*args).loops


@pytest.mark.parametrize('name', TAKEN | LEFT)
def test_values(name):
    f = (TAKEN | LEFT)[name]
    for size in (150, 64, 3, 1, 0):
        args = X[:size], Y[:, :size]
        if f not in (rows_summed, rows_walked) or size >= 7:
            np.testing.assert_allclose(tp.jit(f)(*args), f(*args), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize('name', TAKEN)
def test_taken(name):
    assert 'lanes' in text(TAKEN[name], X, Y)


@pytest.mark.parametrize('name', LEFT)
def test_left_alone(name):
    assert 'lanes' not in text(LEFT[name], X, Y)


def test_single_precision():
    def root(a):
        v = a
        while abs(v * v - a) > 1e-5 * a:
            v = 0.5 * (v + a / v)
        return v

    found = tp.jit(tp.vmap(root))(X.astype(np.float32))
    assert found.dtype == np.float32 and np.allclose(found, np.sqrt(X), rtol=1e-5)
    assert 'lanes' in text(tp.vmap(root), X.astype(np.float32))


def test_derivatives():
    def loss(x, y):
        return np.sum(swing(x, y) ** 2)

    np.testing.assert_allclose(tp.jit(tp.grad(loss))(X, Y), tp.grad(loss)(X, Y), rtol=1e-12)


@pytest.mark.parametrize('name', ['swing', 'roots'])
def test_source(name, golden):
    golden(GOLDEN / f'{name}.py', text(TAKEN[name], X, Y))


def random_program(seed):
    """A loop over examples, with numbers that each carries through loops of steps."""
    draw = random.Random(seed)
    state = ['u', 'v', 'w'][: draw.randint(1, 3)]
    lines = ['def program(x, y):', '    out = np.zeros((x.size, 2))', '    total = 0.0', '    for b in range(x.size):']

    def atom():
        return draw.choice([*state, *state, 'x[b]', 'y[1, b]', '0.5', '1.5'])

    def value():
        return draw.choice(['{} * {}', '{} + {}', 'np.sin({} - {})', 'np.tanh({}) * {}', '0.5 * ({} + {})', 'np.maximum({}, {})'])

    def steps(indent, depth):
        for _ in range(draw.randint(1, 3)):
            kind = draw.random()
            if kind < 0.2 and depth:
                lines.append(f'{indent}for t{depth} in range({draw.randint(0, 4)}):')
                steps(indent + '    ', depth - 1)
            elif kind < 0.4 and depth:
                name, k = draw.choice(state), f'k{depth}'
                lines.append(f'{indent}{k} = 0')
                lines.append(f'{indent}while abs({name}) < {draw.choice([1.0, 3.0])} and {k} < {draw.randint(1, 9)}:')
                lines.append(f'{indent}    {k} += 1')
                for _ in range(draw.randint(1, 2)):
                    lines.append(f'{indent}    {draw.choice(state)} = {value().format(atom(), atom())}')
                lines.append(f'{indent}    {name} = 1.3 * {name} + 0.2')
            elif kind < 0.5:
                lines.append(f'{indent}total += {atom()}')
            elif kind < 0.55:
                name, other = draw.choice(state), draw.choice(state)
                lines.append(f'{indent}if {name} > {atom()}:')
                lines.append(f'{indent}    {other} = {value().format(atom(), atom())}')
                lines.append(f'{indent}    total += {atom()}')
            elif kind < 0.6:
                lines.append(f'{indent}out[b, {draw.randint(0, 1)}] = {atom()}')
            else:
                name = draw.choice(state)
                lines.append(f'{indent}{name} = {value().format(name, atom())}')

    lines.extend(f'        {name} = {draw.choice(["x[b]", "y[0, b]", "0.0"])}' for name in state)
    steps('        ', 2)
    lines += [f'        out[b, 0] += {state[0]}', '    return out, total', '']
    return '\n'.join(lines)


@pytest.mark.parametrize('seed', range(12))
def test_random_programs(seed):
    program = tp.from_source('import numpy as np\n' + random_program(seed))
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        for found, expected in zip(tp.jit(program)(X[:70], Y[:, :70]), program(X[:70], Y[:, :70]), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def counter_changed(x, y):
    out = np.zeros(x.size)
    for b in range(x.size):
        v = x[b]
        for t in range(4):
            t = t + b
            v = np.sin(v) + t
        out[b] = v
    return out


def end_changed(x, y):
    out, n = np.zeros(x.size), x.size
    for b in range(n):
        v = x[b]
        n = 3
        for t in range(n):
            v = np.sin(v) + t
        out[b] = v
    return out


@pytest.mark.parametrize('f', [counter_changed, end_changed])
def test_counters_and_ends_that_change(f):
    np.testing.assert_allclose(tp.jit(f)(X, Y), f(X, Y), rtol=1e-13)
