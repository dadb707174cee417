"""Programs as a NumPy user writes them, each with a maker of arguments of a realistic size."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def sum_logistic(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def smooth(u, steps):
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    return np.sum(u ** 2)


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def mlp_loss(params, x, y):
    (w1, b1), (w2, b2) = params
    h = np.tanh(x @ w1 + b1)
    return np.mean((h @ w2 + b2 - y) ** 2)


def pendulum(theta, omega, dt, steps):
    for _ in range(steps):
        omega = omega - dt * np.sin(theta)
        theta = theta + dt * omega
    return theta


def pairwise_energy(points):
    energy = 0.0
    for i in range(points.shape[0]):
        for j in range(i):
            d = points[i] - points[j]
            energy += 1.0 / np.sqrt(np.dot(d, d) + 0.01)
    return energy


def _mlp() -> tuple:
    rng = np.random.default_rng(0)
    params = ((rng.normal(size=(64, 32)), rng.normal(size=32)), (rng.normal(size=(32, 10)), rng.normal(size=10)))
    return params, rng.normal(size=(128, 64)), rng.normal(size=(128, 10))


def _normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=shape)


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], tuple]]] = {
    'logistic sum, 100k': (sum_logistic, lambda: (_normal(100_000),)),
    'in-place stencil, 1000 x 10': (smooth, lambda: (_normal(1000), 10)),
    'Newton iteration': (newton_sqrt, lambda: (2.0,)),
    'two-layer network, 128 x 64': (mlp_loss, _mlp),
    'pendulum, 1000 steps': (pendulum, lambda: (1.0, 0.5, 0.01, 1000)),
    'pairwise energy, 60 points': (pairwise_energy, lambda: (_normal(60, 3),)),
}
