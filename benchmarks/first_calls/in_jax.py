"""The programs in JAX, where they are straightforward to write: most are the same text with `jax.numpy` for NumPy."""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import erf

from benchmarks.contenders import in_jax
from benchmarks.first_calls import filtering, grids, networks
from benchmarks.first_calls.record import Program, called

jax.config.update('jax_enable_x64', True)

SAME = ('weighted_norm', 'network', 'smoke', 'shallow_water', 'convolutional', 'batch_norm_training', 'unrolled_adam',
        'calibration', 'heston', 'stacked_products', 'gaussian_process', 'chain_energy', 'cluster_energy', 'shooting',
        'small_network')


def in_jax_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function and those that it calls, with `jax.numpy` where they have NumPy."""
    names = function.__globals__ | {'np': jnp, 'erf': erf}
    names |= {one.__name__: types.FunctionType(one.__code__, names, one.__name__, one.__defaults__) for one in called(function)}
    return names[function.__name__]




energies_of = in_jax_numpy(grids.energies)


def attraction(positions, masses, G, softening):
    difference = positions[None] - positions[:, None]
    inverse = (jnp.sum(difference ** 2, axis=2) + softening ** 2) ** -1.5
    return G * jnp.einsum('ijk,ij,j->ik', difference, inverse, masses[:, 0])


def nbody(positions, velocities, masses, G, softening, dt, steps):
    velocities = velocities - jnp.mean(masses * velocities, axis=0) / jnp.mean(masses)

    def step(state, _):
        positions, velocities, acceleration = state
        velocities = velocities + acceleration * dt / 2.0
        positions = positions + velocities * dt
        acceleration = attraction(positions, masses, G, softening)
        velocities = velocities + acceleration * dt / 2.0
        return (positions, velocities, acceleration), sum(energies_of(positions, velocities, masses, G))
    first = sum(energies_of(positions, velocities, masses, G))
    start = positions, velocities, attraction(positions, masses, G, softening)
    (positions, _, _), total = lax.scan(step, start, None, steps)
    return jnp.sum((total - first) ** 2) + jnp.sum(positions ** 2)


def cavity_flow(u, v, p, nu, lid, dx, dy, dt, steps, sweeps):
    inside = (slice(1, -1), slice(1, -1))

    def pressure(p, b):
        def sweep(_, p):
            new = (((p[1:-1, 2:] + p[1:-1, :-2]) * dy ** 2 + (p[2:, 1:-1] + p[:-2, 1:-1]) * dx ** 2)
                   / (2 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * b)
            p = p.at[inside].set(new)
            p = p.at[:, -1].set(p[:, -2])
            p = p.at[0, :].set(p[1, :])
            return p.at[:, 0].set(p[:, 1]).at[-1, :].set(0)
        return lax.fori_loop(0, sweeps, sweep, p)

    def moved(w, u, v, slope):
        return (w[inside] - u[inside] * dt / dx * (w[inside] - w[1:-1, :-2]) - v[inside] * dt / dy * (w[inside] - w[:-2, 1:-1])
                - slope + nu * (dt / dx ** 2 * (w[1:-1, 2:] - 2 * w[inside] + w[1:-1, :-2])
                                + dt / dy ** 2 * (w[2:, 1:-1] - 2 * w[inside] + w[:-2, 1:-1])))

    def step(_, state):
        u, v, p = state
        du_dx, dv_dy = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx), (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
        du_dy, dv_dx = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy), (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
        p = pressure(p, (du_dx + dv_dy) / dt - du_dx ** 2 - 2 * du_dy * dv_dx - dv_dy ** 2)
        new_u = moved(u, u, v, dt / (2 * dx) * (p[1:-1, 2:] - p[1:-1, :-2]))
        new_v = moved(v, u, v, dt / (2 * dy) * (p[2:, 1:-1] - p[:-2, 1:-1]))
        u, v = jnp.zeros_like(u).at[inside].set(new_u).at[-1, :].set(lid), jnp.zeros_like(v).at[inside].set(new_v)
        return u, v, p
    u, v, p = lax.fori_loop(0, steps, step, (u, v, p))
    return jnp.sum(u ** 2 + v ** 2) + jnp.sum(p ** 2)


def unscented_kalman(log_noise, mean, cov, readings, dt):
    q, r, kappa, n = jnp.diag(jnp.exp(log_noise[:5])), jnp.diag(jnp.exp(log_noise[5:])), 1.0, 5
    turned, radar = in_jax_numpy(filtering.turned), in_jax_numpy(filtering.radar)
    w = jnp.full(2 * n + 1, 0.5 / (n + kappa)).at[0].set(kappa / (n + kappa))

    def points_of(mean, cov):
        root = jnp.linalg.cholesky((n + kappa) * cov).T
        return jnp.concatenate((mean[None], mean + root, mean - root))

    def step(state, z):
        mean, cov = state
        moved = jax.vmap(turned, (0, None))(points_of(mean, cov), dt)
        mean = w @ moved
        cov = q + (moved - mean).T @ (w[:, None] * (moved - mean))
        points = points_of(mean, cov)
        seen = jax.vmap(radar)(points)
        expected = w @ seen
        S = r + (seen - expected).T @ (w[:, None] * (seen - expected))
        cross = (points - mean).T @ (w[:, None] * (seen - expected))
        gain, surprise = jnp.linalg.solve(S, cross.T).T, z - expected
        loss = 0.5 * (surprise @ jnp.linalg.solve(S, surprise) + jnp.log(jnp.linalg.det(S)))
        return (mean + gain @ surprise, cov - gain @ S @ gain.T), loss
    return jnp.sum(lax.scan(step, (mean, cov), readings)[1])


def lenet(params, images, labels):
    def conv(x, weights, bias):
        return lax.conv_general_dilated(x, weights, (1, 1), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC')) + bias

    def pooled(x):
        n, h, w, c = x.shape
        return jnp.max(x[:, :h // 2 * 2, :w // 2 * 2].reshape(n, h // 2, 2, w // 2, 2, c), axis=(2, 4))
    x = pooled(jax.nn.relu(conv(images, params['conv1'], params['bias1'])))
    x = pooled(jax.nn.relu(conv(x, params['conv2'], params['bias2'])))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ params['fc1'] + params['fc1_bias'])
    x = jax.nn.relu(x @ params['fc2'] + params['fc2_bias'])
    return in_jax_numpy(networks.cross_entropy)(x @ params['fc3'] + params['fc3_bias'], labels)


BY_HAND = {one.__name__: one for one in (nbody, cavity_flow, unscented_kalman, lenet, in_jax.pendulum, in_jax.gauss_seidel)}


def derivative(program: Program, args: tuple) -> Callable[..., Any] | None:
    """What the program's derivative is in JAX, compiled, with integers that are no arrays known; None if there is none."""
    function = in_jax_numpy(program.function) if program.name in SAME else BY_HAND.get(program.name)
    if function is None:
        return None
    known = [k for k, arg in enumerate(args) if isinstance(arg, int)]
    if program.hessian:
        return jax.jit(jax.hessian(function, argnums=program.argnums[0]), static_argnums=known)
    return jax.jit(jax.value_and_grad(function, argnums=program.argnums), static_argnums=known)


