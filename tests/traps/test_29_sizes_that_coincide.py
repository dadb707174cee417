"""Trap 29: sizes that happen to be equal, of arguments that have nothing to do with each other.

Programs go through sizes from 1 to 4 in one and the same transformed function, as through sizes that all differ.
"""
import random

import numpy as np
import pytest

from tests.support import JIT, PLAIN, check

PROGRAMS = {}
APART = {'a': 3, 'b': 5, 'c': 7, 'd': 2}


def sized(shapes):
    """Programs whose arguments have these shapes, or are integers: `program(w, k)` of '(a,b) 2*a'."""
    def register(program):
        PROGRAMS[program.__name__] = program, shapes.split()
        return program
    return register


@sized('(a,b+a) (c,b) (a,)')
def cell(w, x, h):
    for row in x:
        h = np.tanh(w @ np.concatenate([row, h]))
    return np.sum(h)


@sized('(a,3*b+c) (b,) (c,)')
def product_with_four_joined(w, x, h):
    return np.sum(np.sin(w @ np.concatenate([x, x, h, x])))


@sized('(4*a,a+b) (4*a,) (c,b) (a,)')
def lstm(w, bias, x, h):
    c, n = np.zeros_like(h), h.size
    for t in range(len(x)):
        z = w @ np.hstack([x[t], h]) + bias
        c = c * np.tanh(z[:n]) + z[n:2 * n] * np.tanh(z[2 * n:3 * n])
        h = np.tanh(z[3 * n:]) * c
    return np.sum(h)


@sized('(a,) (b,) (c,) (d,)')
def joined_in_two_orders(x, y, z, u):
    there, back = np.concatenate([x, y, z, u]), np.concatenate([u, z, y, x])
    return np.sum(there * back) + np.dot(there, back ** 2)


@sized('(2*a,) (3*a,)')
def thrice_and_twice(x, y):
    return np.concatenate([x, x, x]) @ np.concatenate([y, y])


@sized('(a,b) (c,b) (b,a+c)')
def rows_on_rows(x, y, z):
    return np.sum((np.vstack([x, y]) @ z) ** 2) + np.sum(np.hstack([x.T, y.T]) * z)


@sized('(a,b) (b,c) (c,d)')
def chain(x, y, z):
    return np.sum(x @ y @ z) + np.sum(np.einsum('ij,jk,kl->il', x, y, z) ** 2)


@sized('(a,b,c) (a,c,d)')
def products_of_stacks(x, y):
    return np.sum((x @ y) ** 2) + np.sum(np.einsum('ijk,ikl->jl', x, y) ** 2) + np.sum(np.tensordot(x, y, ([0, 2], [0, 1])) ** 3)


@sized('(a,) (b,)')
def outer_and_kronecker(x, y):
    table = np.outer(x, y)
    return np.sum(table ** 2 * x[:, None]) + np.sum(table.T @ x) + np.sum(table @ y) + np.sum(np.kron(y, x)[:x.size] * x)


@sized('(a,) (b,)')
def convolved(x, y):
    z = np.convolve(x, y)
    ends = np.sum(z[:x.size] * x) + np.sum(z[-y.size:] * y)
    return ends + np.sum(np.convolve(x, y, 'same') ** 2) + np.sum(np.convolve(z, y, 'valid'))


@sized('(a,b) c')
def tiled(x, n):
    wide = np.tile(x, (n, 2))
    first = np.sum(wide[:x.shape[0], :x.shape[1]] * x)
    return first + np.sum(wide ** 2) + np.sum(np.repeat(x, n, 0) ** 2) + np.sum(np.tile(x[0], n))


@sized('(a,b)')
def padded(x):
    p, q = np.pad(x, 1), np.pad(x, ((1, 2), (0, 1)))
    return np.sum(p[1:-1, 1:-1] * x) + np.sum(p[2:, 2:] * p[:-2, :-2]) + np.sum(q[:-3, :-1] * x)


@sized('(a,b)')
def reshaped(x):
    n, m = x.shape
    table = np.sum(x.reshape(m, n) @ x) + np.sum(x.reshape(1, m, n) * x.T)
    return table + np.sum(x.ravel() * x.T.ravel()) + np.sum(x.reshape(n * m)[:n])


@sized('(a*b+b*c+b+c,) (d,a) b c')
def layers_in_one_vector(theta, x, h, o):
    n = x.shape[1]
    w = theta[:n * h].reshape(n, h)
    k = n * h + h
    v = theta[k:k + h * o].reshape(h, o)
    return np.sum((np.tanh(x @ w + theta[n * h:k]) @ v + theta[k + h * o:]) ** 2)


@sized('(a,b,c) (b,1) (c,)')
def broadcast(x, y, z):
    whole = np.sum(x * y * z) + np.sum((x + z) ** 2 * y)
    return whole + np.sum(np.where(x > 0.5, x * y, z) ** 2) + np.sum(x - x.mean(1, keepdims=True) * y)


@sized('(a,b)')
def sliced(x):
    near = np.sum(x[1:] * x[:-1]) + np.sum(x[:, 1:] ** 2 - x[:, :-1])
    return near + np.sum(x[::2, 1::2] ** 2) + np.sum(x[:2] * x[-2:]) + np.sum(x[::-1][1:] * x[1:])


@sized('(a,) (b,)')
def beginnings_and_ends(x, y):
    n = min(x.size, y.size)
    if x.size > y.size:
        return np.sum(x[:y.size] * y) + np.sum(x[y.size:] ** 2) + np.sum(x[-n:] * y[-n:])
    return np.sum(x[:n] * y[:n]) + np.sum(x[n:] ** 2) + np.sum(y[n:] ** 3)


@sized('(a,) (b,) (c,)')
def one_buffer(x, y, z):
    out = np.zeros(x.size + y.size + z.size)
    out[:x.size], out[x.size:x.size + y.size], out[x.size + y.size:] = x, y ** 2, z
    out[:z.size] += z
    return np.sum(out * out) + out @ np.concatenate([z, y, x])


@sized('(a+b,) (b+c,) b')
def overlapping(x, y, b):
    return np.sum(x[-b:] * y[:b]) + np.concatenate([x, y[b:]]) @ np.concatenate([x[:-b], y])


@sized('(a,b+d) (c+b,) d c')
def product_of_slices(w, v, k, j):
    return np.sum(w[:, k:] @ v[j:])


@sized('(a,b) (c,b) (c,d)')
def attention(q, k, v):
    scores = np.exp(q @ k.T)
    return np.sum((scores / scores.sum(axis=1, keepdims=True) @ v) ** 2)


@sized('(a,a) (a,b)')
def kalman(f, h):
    p, x = np.eye(f.shape[0]), np.ones(f.shape[0])
    for _ in range(2):
        p, x = f @ p @ f.T + np.eye(f.shape[0]), f @ x
        gain = p @ h @ np.linalg.inv(h.T @ p @ h + np.eye(h.shape[1]))
        x = x + gain @ (np.ones(h.shape[1]) - h.T @ x)
        p = (np.eye(f.shape[0]) - gain @ h.T) @ p
    return np.sum(x) + np.trace(p)


@sized('(a,b)')
def moved(x):
    y = np.stack([x, x ** 2]).transpose(2, 0, 1)
    return np.sum(y.reshape(2, *x.shape) * x) + np.sum(np.cumsum(x) * x.T.ravel()) + np.sum(np.diag(x[0]) @ x.T)


@sized('(a,) (a,b)')
def picked(x, y):
    places = np.arange(y.shape[1]) % x.size
    u, v = np.meshgrid(x, y[0])
    grids = np.sum(u @ x) + np.sum(v.T @ y[0] ** 2)
    return grids + np.sum(x[places] * y) + np.sum(x[x > 0.5] ** 2) + np.sum(y[np.arange(x.size), -1] * x)


def arguments(shapes, sizes):
    values = [eval(shape, {}, sizes) for shape in shapes]
    waves = lambda shape, k: 0.4 * np.cos(np.arange(np.prod(shape)) * 1.7 + k).reshape(shape) + 0.5
    return [value if isinstance(value, int) else waves(value, k) for k, value in enumerate(values)]


def some_sizes(name, count):
    draw = random.Random(name)
    return [{letter: draw.randint(1, 4) for letter in APART} for _ in range(count)]


@pytest.mark.parametrize('name', PROGRAMS)
def test_any_sizes(name):
    program, shapes = PROGRAMS[name]
    for sizes in [*some_sizes(name, 3), APART]:
        given = arguments(shapes, sizes)
        check(PLAIN, program, *given, argnums=tuple(k for k, v in enumerate(given) if isinstance(v, np.ndarray)))


@pytest.mark.compiles
@pytest.mark.parametrize('name', ['cell', 'product_of_slices'])
def test_any_sizes_compiled(name):
    program, shapes = PROGRAMS[name]
    for sizes in some_sizes(name, 2):
        given = arguments(shapes, sizes)
        check(JIT, program, *given, argnums=tuple(k for k, v in enumerate(given) if isinstance(v, np.ndarray)))
