"""The rows written by hand for Numba: primal and derivative in one loop, threads where the work is worth them."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import float32, prange

serial = numba.njit(error_model='numpy')
threaded = numba.njit(error_model='numpy', parallel=True)
ONE, HALF = np.float32(1.0), np.float32(0.5)
ALPHA, SCALE, STEP, QUARTER = np.float32(1.67), np.float32(1.05), np.float32(0.01), np.float32(0.25)


@threaded
def cube(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            v = x[i, j]
            out[i, j] = v + v * v + v * v * v
    return out


@threaded
def sum_of_cube(x):
    total, out = 0.0, np.empty_like(x)
    for i in prange(x.shape[0]):
        part = 0.0
        for j in range(x.shape[1]):
            v = x[i, j]
            part += v + v * v + v * v * v
            out[i, j] = ONE + (v + v) + float32(3.0) * v * v
        total += part
    return np.float32(total), out


@threaded
def selu(x):
    out = np.empty_like(x)
    for i in prange(x.size):
        v = x[i]
        out[i] = SCALE * (v if v > 0 else ALPHA * math.exp(v) - ALPHA)
    return out


@threaded
def selu_grad(x):
    out = np.empty_like(x)
    for i in prange(x.size):
        v = x[i]
        out[i] = SCALE * (ONE if v > 0 else ALPHA * math.exp(v))
    return out


@threaded
def logistic(x):
    total, out = 0.0, np.empty_like(x)
    for i in prange(x.size):
        value = ONE / (ONE + math.exp(-x[i]))
        total += value
        out[i] = value * (ONE - value)
    return np.float32(total), out


@serial
def logistic_grad(x):
    out = np.empty_like(x)
    for i in range(x.size):
        value = ONE / (ONE + math.exp(-x[i]))
        out[i] = value * (ONE - value)
    return out


@serial
def twice_identity(x):
    out = np.zeros((x.size, x.size), x.dtype)
    for i in range(x.size):
        out[i, i] = 2
    return out


@serial
def dense_hessian(x, a):
    h = np.dot(a, x)
    scaled = np.empty_like(a)
    for i in range(h.size):
        t = math.tanh(h[i])
        for j in range(x.size):
            scaled[i, j] = float32(-2.0) * t * (ONE - t * t) * a[i, j]
    return np.dot(a.T, scaled)


@serial
def products(mat, batch):
    return np.dot(batch, mat.T)


@serial
def moments(x):
    n, m = x.shape
    mean, spread = np.zeros(m, x.dtype), np.zeros(m, x.dtype)
    for i in range(n):
        for j in range(m):
            mean[j] += x[i, j]
    mean /= float32(n)
    for i in range(n):
        for j in range(m):
            spread[j] += (x[i, j] - mean[j]) ** 2
    for j in range(m):
        spread[j] = math.sqrt(spread[j] / float32(n))
    return mean, spread


@serial
def norm(x):
    mean, spread = moments(x)
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - mean[j]) / spread[j]
    return out


@serial
def norm_grad(x, w):
    n, m = x.shape
    mean, spread = moments(x)
    ones, slopes = np.zeros(m, x.dtype), np.zeros(m, x.dtype)
    for i in range(n):
        for j in range(m):
            ones[j] += w[i, j]
            slopes[j] += w[i, j] * (x[i, j] - mean[j]) / spread[j]
    out = np.empty_like(x)
    for i in range(n):
        for j in range(m):
            out[i, j] = (w[i, j] - (ones[j] + slopes[j] * (x[i, j] - mean[j]) / spread[j]) / float32(n)) / spread[j]
    return out


@serial
def square(x):
    return np.dot(x, x)


@serial
def gram(x):
    return np.dot(x, x.T)


@serial
def layer(x, w, b):
    h = np.dot(x, w)
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            h[i, j] = math.tanh(h[i, j] + b[j])
    return h


@serial
def back(h_bar, h):
    """The cotangent before tanh, and its sum over the examples."""
    b_bar = np.zeros(h.shape[1], h.dtype)
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            h_bar[i, j] *= ONE - h[i, j] * h[i, j]
            b_bar[j] += h_bar[i, j]
    return b_bar


@serial
def network(params, x, y):
    (w1, b1), (w2, b2), (w3, b3) = params
    h1 = layer(x, w1, b1)
    h2 = layer(h1, w2, b2)
    out = np.dot(h2, w3)
    total, b3_bar = 0.0, np.zeros_like(b3)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            error = out[i, j] + b3[j] - y[i, j]
            total += error * error
            out[i, j] = float32(2.0) * error / float32(y.size)
            b3_bar[j] += out[i, j]
    w3_bar, h2_bar = np.dot(h2.T, out), np.dot(out, w3.T)
    b2_bar = back(h2_bar, h2)
    w2_bar, h1_bar = np.dot(h1.T, h2_bar), np.dot(h2_bar, w2.T)
    b1_bar = back(h1_bar, h1)
    return np.float32(total / y.size), ((np.dot(x.T, h1_bar), b1_bar), (w2_bar, b2_bar), (w3_bar, b3_bar))


@threaded
def per_example(w, xs, ys):
    out = np.empty_like(xs)
    for i in prange(xs.shape[0]):
        h = float32(0.0)
        for j in range(w.size):
            h += w[j] * xs[i, j]
        t = math.tanh(h)
        h_bar = float32(2.0) * (t - ys[i]) * (ONE - t * t)
        for j in range(w.size):
            out[i, j] = h_bar * xs[i, j]
    return out


@serial
def pendulum_grad(theta, omega, steps):
    cosines = np.empty(steps, np.float32)
    for k in range(steps):
        cosines[k] = math.cos(theta)
        omega -= STEP * math.sin(theta)
        theta += STEP * omega
    theta_bar, omega_bar = ONE, float32(0.0)
    for k in range(steps - 1, -1, -1):
        omega_bar += STEP * theta_bar
        theta_bar -= STEP * omega_bar * cosines[k]
    return theta_bar


@threaded
def pendulums(theta, omega, steps):
    out = np.empty_like(theta)
    for i in prange(theta.size):
        t, o = theta[i], omega[i]
        for _ in range(steps):
            o -= STEP * math.sin(t)
            t += STEP * o
        out[i] = t
    return out


@serial
def gauss_seidel_grad(a, steps):
    a = a.copy()
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = QUARTER * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    bar = a + a
    for _ in range(steps):
        for i in range(n - 2, 0, -1):
            for j in range(m - 2, 0, -1):
                item = QUARTER * bar[i, j]
                bar[i, j] = 0
                bar[i - 1, j] += item
                bar[i + 1, j] += item
                bar[i, j - 1] += item
                bar[i, j + 1] += item
    return bar


@threaded
def newton(a):
    out = np.empty_like(a)
    for i in prange(a.size):
        x = a[i]
        while abs(x * x - a[i]) > float32(1e-6) * a[i]:
            x = HALF * (x + a[i] / x)
        out[i] = x
    return out


CALLS: dict[str, Callable[..., Any]] = {
    'cube': cube,
    'cube_value_and_grad': sum_of_cube,
    'selu': selu,
    'selu_grad': selu_grad,
    'logistic_value_and_grad': logistic,
    'logistic_grad': logistic_grad,
    'diagonal_hessian': twice_identity,
    'dense_hessian': dense_hessian,
    'batched_product': products,
    'norm': norm,
    'norm_grad': norm_grad,
    'dot': square,
    'gram': gram,
    'network_value_and_grad': network,
    'grads_per_example': per_example,
    'pendulum_grad': pendulum_grad,
    'pendulums': pendulums,
    'gauss_seidel_grad': gauss_seidel_grad,
    'newton_iterations': newton,
}
