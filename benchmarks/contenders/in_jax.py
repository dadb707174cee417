"""The rows in JAX: loops by `lax`, writes by `.at`."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.contenders.ours import cube, norm


def selu(x, alpha=1.67, scale=1.05):
    return scale * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)


def sum_logistic(x):
    return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))


def network(params, x, y):
    (w1, b1), (w2, b2), (w3, b3) = params
    h = jnp.tanh(x @ w1 + b1)
    h = jnp.tanh(h @ w2 + b2)
    return jnp.mean((h @ w3 + b3 - y) ** 2)


def per_example(w, x, y):
    return (jnp.tanh(jnp.dot(w, x)) - y) ** 2


def pendulum(theta, omega, steps):
    def body(_, state):
        theta, omega = state
        omega = omega - 0.01 * jnp.sin(theta)
        return theta + 0.01 * omega, omega
    return lax.fori_loop(0, steps, body, (theta, omega))[0]


def gauss_seidel(a, steps):
    m, n = a.shape

    def inner(k, a):
        i, j = k // (n - 2) + 1, k % (n - 2) + 1
        return a.at[i, j].set(0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]))
    a = lax.fori_loop(0, steps, lambda _, a: lax.fori_loop(0, (m - 2) * (n - 2), inner, a), a)
    return jnp.sum(a * a)


def newton(a):
    return lax.while_loop(lambda x: abs(x * x - a) > 1e-6 * a, lambda x: 0.5 * (x + a / x), a)


jit = jax.jit
with_steps = functools.partial(jax.jit, static_argnames='steps')    # `fori_loop` is differentiated if the count is known

CALLS: dict[str, Callable[..., Any]] = {
    'cube': jax.jit(cube),
    'cube_value_and_grad': jax.jit(jax.value_and_grad(lambda x: jnp.sum(cube(x)))),
    'selu': jax.jit(selu),
    'selu_grad': jax.jit(jax.grad(lambda x: jnp.sum(selu(x)))),
    'logistic_value_and_grad': jax.jit(jax.value_and_grad(sum_logistic)),
    'logistic_grad': jax.jit(jax.grad(sum_logistic)),
    'diagonal_hessian': jax.jit(jax.hessian(lambda x: jnp.sum(jnp.square(x)))),
    'dense_hessian': jax.jit(jax.hessian(lambda x, a: jnp.sum(jnp.tanh(a @ x)))),
    'batched_product': jax.jit(jax.vmap(jnp.dot, in_axes=(None, 0))),
    'norm': jax.jit(norm),
    'norm_grad': jax.jit(jax.grad(lambda x, w: jnp.sum(norm(x) * w))),
    'dot': jax.jit(lambda x: jnp.dot(x, x)),
    'gram': jax.jit(lambda x: jnp.dot(x, x.T)),
    'network_value_and_grad': jax.jit(jax.value_and_grad(network)),
    'grads_per_example': jax.jit(jax.vmap(jax.grad(per_example), in_axes=(None, 0, 0))),
    'pendulum_grad': with_steps(lambda t, o, steps: jax.grad(pendulum)(t, o, steps)),
    'pendulums': with_steps(
        lambda t, o, steps: jax.vmap(lambda t, o: pendulum(t, o, steps))(t, o)),
    'gauss_seidel_grad': with_steps(lambda a, steps: jax.grad(gauss_seidel)(a, steps)),
    'newton_iterations': jax.jit(jax.vmap(newton)),
}


def given(args: tuple) -> tuple:
    """Arrays where JAX keeps them; whole numbers stay."""
    return jax.tree.map(lambda leaf: leaf if isinstance(leaf, int) else jnp.asarray(leaf), args)


def finished(result: Any) -> Any:
    return jax.block_until_ready(result)
