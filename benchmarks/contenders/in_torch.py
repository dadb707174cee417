"""The rows in PyTorch: by `torch.compile`, or eager where compiling would write out thousands of turns."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import optree
import torch
from torch.func import grad, grad_and_value, hessian, vmap

from benchmarks.contenders.ours import cube


def selu(x, alpha=1.67, scale=1.05):
    return scale * torch.where(x > 0, x, alpha * torch.exp(x) - alpha)


def sum_logistic(x):
    return torch.sum(1.0 / (1.0 + torch.exp(-x)))


def norm(x):
    x = x - x.mean(0)
    return x / x.std(0, correction=0)


def network(params, x, y):
    (w1, b1), (w2, b2), (w3, b3) = params
    h = torch.tanh(x @ w1 + b1)
    h = torch.tanh(h @ w2 + b2)
    return torch.mean((h @ w3 + b3 - y) ** 2)


def per_example(w, x, y):
    return (torch.tanh(torch.dot(w, x)) - y) ** 2


def pendulum(theta, omega, steps):
    for _ in range(steps):
        omega = omega - 0.01 * torch.sin(theta)
        theta = theta + 0.01 * omega
    return theta


def gauss_seidel(a, steps):
    a = a.clone()
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return torch.sum(a * a)


def value_first(function: Callable) -> Callable:
    def call(*args):
        gradient, value = grad_and_value(function)(*args)
        return value, gradient
    return call


jit = torch.compile

COMPILED: dict[str, Callable[..., Any]] = {
    'cube': cube,
    'cube_value_and_grad': value_first(lambda x: torch.sum(cube(x))),
    'selu': selu,
    'selu_grad': grad(lambda x: torch.sum(selu(x))),
    'logistic_value_and_grad': value_first(sum_logistic),
    'logistic_grad': grad(sum_logistic),
    'diagonal_hessian': hessian(lambda x: torch.sum(torch.square(x))),
    'dense_hessian': hessian(lambda x, a: torch.sum(torch.tanh(a @ x))),
    'batched_product': vmap(torch.mv, in_dims=(None, 0)),
    'norm': norm,
    'norm_grad': grad(lambda x, w: torch.sum(norm(x) * w)),
    'dot': lambda x: torch.dot(x, x),
    'gram': lambda x: x @ x.T,
    'network_value_and_grad': value_first(network),
    'grads_per_example': vmap(grad(per_example), in_dims=(None, 0, 0)),
}
EAGER: dict[str, Callable[..., Any]] = {
    'pendulum_grad': grad(pendulum),
    'pendulums': pendulum,
    'gauss_seidel_grad': grad(gauss_seidel),
}


class Compiled:
    """A function by `torch.compile`, or as it is once that has failed."""

    def __init__(self, function: Callable[..., Any]):
        self.eager, self.call = function, jit(function)

    def __call__(self, *args: Any) -> Any:
        try:
            return self.call(*args)
        except Exception:       # whatever the compiler says, it is no
            self.call = self.eager
            return self.eager(*args)


CALLS = {name: Compiled(function) for name, function in COMPILED.items()} | EAGER


def given(args: tuple) -> tuple:
    """Tensors, but whole numbers stay."""
    return optree.tree_map(lambda leaf: leaf if isinstance(leaf, int) else torch.tensor(leaf), args)


def finished(result: Any) -> Any:
    return result
