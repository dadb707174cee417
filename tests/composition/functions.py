"""Functions of one argument, of every kind that the language has, for transformations to be composed on."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

VECTOR = np.array([0.9, -0.4, 0.6, 1.2])
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.8, -0.4]])
WEIGHTS = np.array([[0.2, -0.5, 0.3, 0.1], [0.7, 0.1, -0.2, 0.4], [0.0, 0.6, 0.5, -0.3]])
CASES: list['Case'] = []


@dataclass(frozen=True)
class Case:
    function: Callable
    point: Any

    @property
    def name(self) -> str:
        return self.function.__name__


@dataclass
class Spring:
    stiffness: float
    rest: float

    def energy(self, length):
        return 0.5 * self.stiffness * (length - self.rest) ** 2


def case(point: Any) -> Callable:
    def enter(function: Callable) -> Callable:
        CASES.append(Case(function, point))
        return function
    return enter


@case(0.7)
def polynomial(x):
    return x * x * x - 2.0 * x


@case(0.7)
def branch(x):
    if x > 0.5:
        y = np.sin(x) * x
    else:
        y = -x
    return y * y


@case(0.7)
def counted(x):
    total = 0.0
    for k in range(3):
        total = total * x + np.cos(x * k)
    return total


@case(2.5)
def newton(a):
    x = a
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
    return x


@case(0.8)
def early_return(x):
    for k in range(5):
        x = x + 0.3 * x * x
        if x > 1.5:
            return x * k
    return x


@case(0.6)
def power_by_halves(x):
    return halved(x, 5)


def halved(x, n):
    if n == 0:
        return 1.0
    half = halved(x, n // 2)
    return half * half * x if n % 2 else half * half


@case(VECTOR)
def elementwise(x):
    return np.tanh(x) * np.exp(-x * x)


@case(VECTOR)
def total(x):
    return np.sum(np.sin(x) * x)


@case(VECTOR)
def logsumexp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@case(VECTOR)
def normalised(x):
    return (x - np.mean(x)) / np.sqrt(np.sum(x * x) + 1.0)


@case(VECTOR)
def selected(x):
    return np.where(x > 0, np.sqrt(np.abs(x) + 0.1), x * x)


@case(VECTOR)
def product(x):
    return WEIGHTS @ np.sin(x)


@case(VECTOR)
def quadratic(x):
    y = WEIGHTS @ x
    return y @ y


@case(MATRIX)
def gram(a):
    return a @ a.T * 0.5


@case(MATRIX)
def row_norms(a):
    return np.sqrt(np.sum(a * a, axis=1) + 0.5)


@case(MATRIX)
def softmax_rows(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@case(VECTOR)
def differences(x):
    return x[1:] * x[:-1] - x[::-1][1:]


@case(VECTOR)
def gathered(x):
    picked = x[np.array([0, 2, 2, 1])]
    return picked * x


@case(VECTOR)
def stencil(x):
    u = x.copy()
    for _ in range(2):
        u[1:-1] = 0.25 * u[:-2] + 0.5 * u[1:-1] * u[1:-1] + 0.25 * u[2:]
    return u


@case(VECTOR)
def sweep(x):
    u = np.zeros(len(x))
    u[0] = x[0]
    for i in range(1, len(x)):
        u[i] = np.sin(u[i - 1]) + x[i] * u[i - 1]
    return u


@case(VECTOR)
def through_a_view(x):
    y = x.copy()
    inner = y[1:3]
    inner *= x[0]
    y[0] += inner[1] * y[3]
    return np.sum(y * y)


@case(VECTOR)
def swapped(x):
    y = x * 1.0
    for i in range(len(y) // 2):
        y[i], y[-1 - i] = y[-1 - i] * y[i], y[i]
    return y


@case(VECTOR)
def scattered(x):
    y = np.zeros(3)
    for i in range(len(x)):
        y[i % 3] += x[i] * x[i]
    return y * y


@case(VECTOR)
def where_positive(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] > 0:
            s = s * (1.0 + x[i])
        else:
            s = s + x[i] * x[i]
    return s


@case(VECTOR)
def until_small(x):
    s, k = np.sum(x * x), 0
    while s > 0.2 and k < 20:
        s = s * 0.5 * np.cos(x[0])
        k += 1
    return s * x


@case(VECTOR)
def growing(x):
    parts = []
    for i in range(len(x)):
        parts.append(x[i] * np.sum(x[: i + 1]))
    return np.array(parts)


@case(VECTOR)
def table(x):
    state = {'position': x[:2], 'speed': x[2:]}
    for _ in range(2):
        state['speed'] = state['speed'] - 0.1 * np.sin(state['position'])
        state['position'] = state['position'] + 0.1 * state['speed']
    return np.concatenate([state['position'], state['speed']])


@case(VECTOR)
def springs(x):
    bodies = [Spring(2.0, 0.1), Spring(x[0], 0.3)]
    return sum([body.energy(x[k + 1]) for k, body in enumerate(bodies)])


@case(VECTOR)
def helper(x):
    def mix(a, b=2.0):
        return a * np.cos(b * a)
    return mix(x) + mix(x[0], b=x[1])


@case(MATRIX)
def rows(a):
    s = 0.0
    for row in a:
        s += np.prod(row) + row[0] ** 2
    return s
