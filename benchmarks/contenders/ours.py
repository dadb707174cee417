"""What is timed: NumPy programs and their derivatives, as people write them."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import transpiler as tp


@dataclass(frozen=True)
class Row:
    """A function, which runs as plain NumPy as it is and is timed under `tp.jit`, with makers of its arguments.

    `arguments(rng, *large)` makes those that are timed, `arguments(rng, *small)` those of the tests. Where memory decides, a copy
    of arguments and results is timed as well.
    """

    title: str
    function: Callable[..., Any]
    arguments: Callable[..., tuple]
    large: tuple[int, ...]
    small: tuple[int, ...]
    memory_bound: bool = False

    def at(self, sizes: tuple[int, ...]) -> tuple:
        """Arguments of these sizes, the same in every run."""
        return self.arguments(np.random.default_rng(0), *sizes)


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.normal(size=shape).astype(np.float32)


def normals(rng: np.random.Generator, *shape: int) -> tuple:
    return (normal(rng, *shape),)


def cube(x):
    return x + x * x + x * x * x


def sum_of_cube(x):
    return np.sum(x + x * x + x * x * x)


def selu(x, alpha=1.67, scale=1.05):
    return scale * np.where(x > 0, x, alpha * np.exp(x) - alpha)


def sum_of_selu(x):
    return np.sum(selu(x))


def sum_logistic(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def norm(x):
    x = x - x.mean(0)
    return x / x.std(0)


def weighted_norm(x, w):
    return np.sum(norm(x) * w)


def sum_of_squares(x):
    return np.sum(np.square(x))


def sum_of_tanh(x, a):
    return np.sum(np.tanh(a @ x))


def product(mat, v):
    return np.dot(mat, v)


def square(x):
    return np.dot(x, x)


def gram(x):
    return np.dot(x, x.T)


def network(params, x, y):
    (w1, b1), (w2, b2), (w3, b3) = params
    h = np.tanh(x @ w1 + b1)
    h = np.tanh(h @ w2 + b2)
    return np.mean((h @ w3 + b3 - y) ** 2)


def per_example(w, x, y):
    return (np.tanh(np.dot(w, x)) - y) ** 2


def pendulum(theta, omega, steps):
    for _ in range(steps):
        omega = omega - 0.01 * np.sin(theta)
        theta = theta + 0.01 * omega
    return theta


def gauss_seidel(a, steps):
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return np.sum(a * a)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-6 * a:
        x = 0.5 * (x + a / x)
    return x


def layers(rng: np.random.Generator, batch: int, *widths: int) -> tuple:
    pairs = itertools.pairwise(widths)
    params = tuple((normal(rng, m, n) / np.float32(m ** 0.5), np.zeros(n, np.float32)) for m, n in pairs)
    return params, normal(rng, batch, widths[0]), normal(rng, batch, widths[-1])


def examples(rng: np.random.Generator, count: int, width: int) -> tuple:
    return normal(rng, width), normal(rng, count, width), normal(rng, count)


def arrays(*shapes: Callable[..., tuple[int, ...]]) -> Callable[..., tuple]:
    """A maker of one array per shape, each of which is told the sizes."""
    return lambda rng, *sizes: tuple(normal(rng, *shape(*sizes)) for shape in shapes)


def start(rng: np.random.Generator, steps: int) -> tuple:
    return np.float32(1.0), np.float32(0.5), steps


def starts(rng: np.random.Generator, count: int, steps: int) -> tuple:
    return normal(rng, count), normal(rng, count), steps


def positive(rng: np.random.Generator, count: int) -> tuple:
    return ((10 ** rng.uniform(-3, 6, size=count)).astype(np.float32),)


def rows(rng: np.random.Generator, *shape: int) -> tuple:
    return (rng.random(shape).astype(np.float32),)


def two_of_rows(rng: np.random.Generator, *shape: int) -> tuple:
    return rows(rng, *shape) + rows(rng, *shape)


def grid(rng: np.random.Generator, size: int, sweeps: int) -> tuple:
    return normal(rng, size, size), sweeps


ROWS: dict[str, Row] = {
    'cube': Row('x + x² + x³, 5000 × 5000', cube, normals, (5000, 5000), (5, 4), True),
    'cube_value_and_grad': Row('its sum with the gradient', tp.value_and_grad(sum_of_cube), normals, (5000, 5000), (5, 4), True),
    'selu': Row('selu of 1M', selu, normals, (1_000_000,), (7,), True),
    'selu_grad': Row('gradient of its sum', tp.grad(sum_of_selu), normals, (1_000_000,), (7,), True),
    'logistic_value_and_grad': Row(
        'logistic sum of 1M with the gradient', tp.value_and_grad(sum_logistic), normals, (1_000_000,), (7,), True),
    'logistic_grad': Row('gradient of a logistic sum of 3', tp.grad(sum_logistic), normals, (3,), (3,)),
    'diagonal_hessian': Row('Hessian of a sum of 1000 squares', tp.hessian(sum_of_squares), normals, (1000,), (5,), True),
    'dense_hessian': Row(
        'Hessian of sum(tanh(A x)), 300 × 300', tp.hessian(sum_of_tanh), arrays(lambda n: (n,), lambda n: (n, n)), (300,), (5,)),
    'batched_product': Row(
        'batch of 10 products A v, 150 × 100', tp.vmap(product, in_axes=(None, 0)),
        arrays(lambda b, m, n: (m, n), lambda b, m, n: (b, n)), (10, 150, 100), (3, 5, 4)),
    'norm': Row('normalised columns, 10000 × 10', norm, rows, (10_000, 10), (7, 3)),
    'norm_grad': Row('its gradient', tp.grad(weighted_norm), two_of_rows, (10_000, 10), (7, 3)),
    'dot': Row('x · x of 10M', square, normals, (10_000_000,), (9,), True),
    'gram': Row('X Xᵀ, 2000 × 2000', gram, normals, (2000, 2000), (5, 4)),
    'network_value_and_grad': Row(
        'training gradient, 64-256-256-10, 256 examples', tp.value_and_grad(network), layers,
        (256, 64, 256, 256, 10), (5, 4, 6, 6, 3)),
    'grads_per_example': Row(
        'gradient per example, 10000 of 20', tp.vmap(tp.grad(per_example), in_axes=(None, 0, 0)), examples, (10_000, 20), (5, 4)),
    'pendulum_grad': Row('gradient through 10000 time steps', tp.grad(pendulum), start, (10_000,), (20,)),
    'pendulums': Row('batch of 4096 times 100 time steps', tp.vmap(pendulum, in_axes=(0, 0, None)), starts, (4096, 100), (5, 20)),
    'gauss_seidel_grad': Row(
        'gradient of Gauss-Seidel in place, 64 × 64, 5 sweeps', tp.grad(gauss_seidel), grid, (64, 5), (6, 3)),
    'newton_iterations': Row('batch of 100000 Newton iterations', tp.vmap(newton), positive, (100_000,), (9,)),
}
