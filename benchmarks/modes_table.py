"""What forward mode, second derivatives and Jacobians cost, in units of the primal: `python -m benchmarks.modes_table [names]`.

All compiled by `tp.jit`. `jvp` is the derivative along one direction, `grad` the gradient, `hvp` the Hessian times a vector
(forward over reverse), each over the primal. `jacrev` is the Jacobian of a vector-valued function in reverse mode, over as many
pullbacks (each with its primal) as there are outputs; it stands in the second table.
"""
from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import optree

import transpiler as tp
from benchmarks.kernels import KERNELS
from benchmarks.kernels.record import Kernel
from benchmarks.kernels_table import best, row, warm_up
from transpiler.transforms.steps import Vjp

LIMITS = {'jvp': 2.5, 'grad': 4.0, 'hvp': 8.0}


@dataclass(frozen=True)
class Row:
    """One kernel's costs in units of its primal."""

    jvp: float
    grad: float
    hvp: float


def direction(tree: Any) -> Any:
    """A tangent in the structure of arguments: ones."""
    return optree.tree_map(lambda leaf: leaf * 0 + 1, tree)


def measure(kernel: Kernel) -> Row:
    args = kernel.at(kernel.large)
    numbers = kernel.argnums if isinstance(kernel.argnums, tuple) else (kernel.argnums,)
    tangents = tuple(direction(args[k]) for k in numbers)
    gradient = tp.grad(kernel.function, argnums=numbers)
    primal, grad, jvp, hvp = map(tp.jit, (kernel.function, gradient, tp.jvp(kernel.function, argnums=numbers),
                                          tp.jvp(gradient, argnums=numbers)))
    along = [lambda *args, f=f: f(*args, *tangents) for f in (jvp, hvp)]
    times = best([primal, grad, *along], args)
    return Row(times[2] / times[0], times[1] / times[0], times[3] / times[0])


def chain(x):
    for _ in range(20):
        x = np.tanh(x * x[::-1] + 0.1)
    return x


def layers(x, weights):
    for k in range(weights.shape[0]):
        x = np.tanh(weights[k] @ x)
    return x


def diffusion(u, steps):
    u = u.copy()
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] = u[i] + 0.1 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) + 0.01 * u[i] * u[i]
    return u


def oscillators(x, steps):
    position, speed = x[: x.size // 2], x[x.size // 2 :]
    for _ in range(steps):
        speed = speed - 0.01 * np.sin(position)
        position = position + 0.01 * speed
    return position


JACOBIANS: list[tuple[Callable, tuple]] = [
    (chain, (np.linspace(0.1, 0.9, 100),)),
    (layers, (np.linspace(-1, 1, 60), np.sin(np.arange(36_000.0)).reshape(10, 60, 60))),
    (diffusion, (np.linspace(0.0, 1.0, 100), 50)), (oscillators, (np.linspace(0.0, 1.0, 80), 200)),
]


def jacobian_ratio(f: Callable, args: tuple) -> tuple[float, float]:
    """The Jacobian over m pullbacks, in reverse and (over n pushforwards) in forward mode."""
    out = f(*args)
    pullback = tp.jit(tp.Transformed(f, (Vjp((0,)),)))
    pushforward = tp.jit(tp.jvp(f, argnums=(0,)))
    cotangent, tangent = np.ones_like(out), np.ones_like(args[0])
    times = best([tp.jit(tp.jacrev(f)), lambda *a: pullback(*a, cotangent), tp.jit(tp.jacfwd(f)),
                  lambda *a: pushforward(*a, tangent)], args)
    return times[0] / (times[1] * out.size), times[2] / (times[3] * args[0].size)


def main(names: list[str]) -> None:
    warm_up()
    print(f'{"kernel":24}', *(f'{field.name:>7}' for field in fields(Row)))
    rows = []
    for name in names or KERNELS:
        found = row(name, measure)
        if isinstance(found, Row):
            rows.append(found)
            print(f'{name:24}', *(f'{getattr(found, field.name):7.2f}' for field in fields(Row)), flush=True)
        else:
            print(f'{name:24}', found, flush=True)
    for label, summary in (('median', np.nanmedian), ('maximum', np.nanmax)):
        if rows:
            print(f'{label:24}', *(f'{summary([getattr(r, field.name) for r in rows]):7.2f}' for field in fields(Row)))
    print(f'{"limit of the median":24}', *(f'{LIMITS[field.name]:7.2f}' for field in fields(Row)))
    if not names:
        print(f'\n{"Jacobian":24} {"jacrev / m pullbacks":>22} {"jacfwd / n jvps":>18}')
        for f, args in JACOBIANS:
            rev, fwd = jacobian_ratio(f, args)
            print(f'{f.__name__:24} {rev:22.2f} {fwd:18.2f}', flush=True)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as cache:
        os.environ['TRANSPILER_CACHE_DIR'] = cache
        main(sys.argv[1:])
