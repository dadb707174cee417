"""What is known of the sizes of slices: equal only if they are, for every size of the arguments, and no needless sums."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, numeric_grad, same


def wide(u):
    """Longer than `u` may be."""
    out = np.zeros(u.size)
    out[2:-2] += u[4:] * u[:-4] - u[2:-2] ** 2 + u[1:-3] * u[3:-1]
    return np.sum(out ** 2) + np.sum(u[-3:] ** 3) + np.sum(u[:3]) * np.sum(u[-1:] * u[:1])


def slices_of_slices(u):
    near = u[2:] - 2 * u[1:-1] + u[:-2]
    far = near[2:] - 2 * near[1:-1] + near[:-2]
    return np.sum((far[1:] - far[:-1]) * u[2:-3]) + np.sum(far[::2] * u[2:-2:2])


def coloured(u):
    u = u.copy()
    u[1:-1:2] += u[:-2:2] * u[2::2]
    u[2:-1:2] *= u[1:-2:2] + u[3::2]
    return np.sum(u ** 2) + np.sum(u[::3] * u[::-1][::3])


def from_a_turn(u):
    total = 0.0
    for k in range(u.size):
        rest = u[k + 1:] * u[:u.size - k - 1]
        total += np.sum(rest ** 2) + np.sum(u[k:k + 1] * u[:k]) + np.sum(np.outer(u[k:], u[:k]) @ u[:k])
    return total


def from_a_while(u):
    k, total = 0, 0.0
    while k < u.size:
        part = u[k:]
        k += 2
        total += np.sum(part[:1] * u[k:]) + np.sum(part ** 2)
    return total


def picked(u):
    large = u[u > 1.0]
    scaled = large * 2.0 - large ** 2
    return np.sum(scaled * large) + np.sum(scaled[1:] * large[:-1])


def by_numbers(u):
    n = len(u)
    half = n // 2
    out = np.zeros(n)
    out[1:n - 1] = u[0:n - 2] * u[2:n]
    out[:half] += u[n - half:] * u[:half]
    return np.sum(out * u)


def kept_in_a_list(u):
    parts = []
    for k in range(u.size):
        parts.append(u[k:] ** 2)
    total = 0.0
    for k in range(u.size):
        total += np.sum(parts.pop() * u[-1:])
    return total


PROGRAMS = [wide, slices_of_slices, coloured, from_a_turn, from_a_while, picked, by_numbers, kept_in_a_list]


def draw(size):
    return np.random.default_rng(size).uniform(0.4, 1.6, size)


@pytest.mark.parametrize('f', PROGRAMS)
def test_every_size(f):
    gradient = tp.grad(f)
    for size in range(9):
        try:
            f(draw(size))
        except ValueError:
            with pytest.raises(ValueError):
                gradient(draw(size))
            continue
        same(gradient(draw(size)), numeric_grad(f, (draw(size),)))


@pytest.mark.parametrize('f', PROGRAMS)
def test_values(mode, f):
    check(mode, f, draw(6))


@pytest.mark.parametrize('f', [coloured, from_a_turn, by_numbers])
def test_second_order(f):
    tp.testing.check_grads(f, (draw(6),), order=2)


@pytest.mark.parametrize('f', [wide, slices_of_slices, coloured])
def test_no_needless_sums(f):
    assert 'unbroadcast' not in tp.grad(f).lower(draw(6)).source


def reshaped_by_numbers(u, rows, columns):
    v = u.reshape(rows, columns)
    w = u.reshape(columns, rows)
    return np.sum(v[:, :1] ** 2) + np.sum(np.ravel(v) * np.ravel(w.T)) + np.sum(u.reshape(columns)[:2])


def test_minus_one_is_no_size(mode):
    u = draw(6)
    for rows, columns in [(1, -1), (1, 6), (1, -1)]:
        same(mode(tp.grad(reshaped_by_numbers))(u, rows, columns), numeric_grad(reshaped_by_numbers, (u, rows, columns)))


def shared(x, y):
    both = np.maximum(x, 0.5) + y
    for k in range(2):
        both[k] = both[k] ** 2 * x[k]
    for k in range(1):
        y[k] += both[k]
    return np.sum(both * both) + np.sum(np.diag(both[1:]) ** 2) + np.sum(y ** 3)


@pytest.mark.parametrize('sizes', [(3, 3), (3, 1)])
def test_memory_of_cotangents_is_not_shared(mode, sizes):
    check(mode, shared, *(np.arange(1.0, size + 1) / size for size in sizes), argnums=(0, 1))


def window_of(x, w):
    k = x.size - w.size + 1
    planes = np.zeros((2, k * k)) + x[0]
    scale = 2.0 if k * k > 10 else 3.0
    return np.sum(planes.reshape(2, k, k) ** 2) * scale + np.sum(x ** 2) / (k * (x.size - w.size + 2)) + np.kron(w, w).size * x[0]


@pytest.mark.parametrize('sizes', [(6, 2), (4, 3), (9, 2), (5, 5)])
def test_products_of_differences_of_sizes(mode, sizes):
    check(mode, window_of, np.linspace(0.5, 1.5, sizes[0]), np.ones(sizes[1]))


@pytest.mark.parametrize('less', [3, 5, 7, 11])
def test_a_size_less_another_as_a_divisor(less):
    def f(x):
        return np.sum(x ** 2) / (len(x) - less)
    same(tp.grad(f)(np.ones(12)), np.full(12, 2 / (12 - less)))
