"""Prices of options, by trees, grids and paths."""
import numpy as np

from benchmarks.kernels.record import Kernel


def binomial_american(spot, strike, rate, sigma, maturity, n):
    """An American put on a binomial tree, in place."""
    dt = maturity / n
    u = np.exp(sigma * np.sqrt(dt))
    q = (np.exp(rate * dt) - 1.0 / u) / (u - 1.0 / u)
    discount = np.exp(-rate * dt)
    values = np.zeros(n + 1)
    for i in range(n + 1):
        values[i] = max(strike - spot * u ** (2 * i - n), 0.0)
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            held = discount * (q * values[i + 1] + (1.0 - q) * values[i])
            values[i] = max(held, strike - spot * u ** (2.0 * i - step))
    return values[0]


def binomial_european(spot, strike, rate, sigma, maturity, n):
    """A European call, the level of the tree updated by slices."""
    dt = maturity / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    q = (np.exp(rate * dt) - d) / (u - d)
    prices = spot * u ** np.arange(n, -1, -1.0) * d ** np.arange(0, n + 1, 1.0)
    values = np.maximum(prices - strike, 0.0)
    for step in range(n):
        values[:n - step] = np.exp(-rate * dt) * (q * values[:n - step] + (1.0 - q) * values[1:n - step + 1])
    return values[0]


def asian_paths(params, noise):
    """An average-price call by simulated paths."""
    paths, steps = noise.shape
    dt = params['maturity'] / steps
    drift = (params['rate'] - 0.5 * params['sigma'] ** 2) * dt
    payoff = 0.0
    for p in range(paths):
        s = params['spot']
        total = 0.0
        for t in range(steps):
            s *= np.exp(drift + params['sigma'] * np.sqrt(dt) * noise[p, t])
            total += s
        payoff += max(total / steps - params['strike'], 0.0)
    return np.exp(-params['rate'] * params['maturity']) * payoff / paths


def crank_nicolson(values, sigma, rate, dt, steps):
    """Black-Scholes on a grid, a tridiagonal solve for each step, in scratch arrays that are used again."""
    n = values.size
    j = np.arange(n)
    a = 0.25 * dt * (sigma ** 2 * j ** 2 - rate * j)
    b = -0.5 * dt * (sigma ** 2 * j ** 2 + rate)
    c = 0.25 * dt * (sigma ** 2 * j ** 2 + rate * j)
    right = np.zeros(n)
    ratio = np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            right[i] = a[i] * values[i - 1] + (1.0 + b[i]) * values[i] + c[i] * values[i + 1]
        right[0] = values[0]
        for i in range(1, n - 1):
            scale = 1.0 - b[i] + a[i] * ratio[i - 1]
            ratio[i] = c[i] / scale
            right[i] = (right[i] + a[i] * right[i - 1]) / scale
        for i in range(n - 2, 0, -1):
            values[i] = right[i] + ratio[i] * values[i + 1]
    return np.sum(values ** 2)


def vasicek(short_rate, params, noise):
    """Bonds priced over short-rate paths; the state is an array updated in place, row by row of the noise."""
    rates = np.full(noise.shape[1], short_rate)
    integral = np.zeros_like(rates)
    dt = 1.0 / noise.shape[0]
    for shock in noise:
        rates += params['speed'] * (params['mean'] - rates) * dt + params['sigma'] * np.sqrt(dt) * shock
        integral += rates * dt
    return np.mean(np.exp(-integral))


KERNELS = (
    Kernel(binomial_american, lambda rng, n: (100.0, 105.0, 0.03, 0.25, 1.0, n), (5,), (500,), (0, 2, 3)),
    Kernel(binomial_european, lambda rng, n: (100.0, 105.0, 0.03, 0.25, 1.0, n), (5,), (2000,), (0, 2, 3)),
    Kernel(asian_paths, lambda rng, paths, steps: ({'spot': 100.0, 'strike': 98.0, 'rate': 0.03, 'sigma': 0.2, 'maturity': 1.0},
                                                   rng.normal(size=(paths, steps))), (4, 5), (5000, 100)),
    Kernel(crank_nicolson, lambda rng, n, steps: (np.maximum(np.arange(n) - 0.5 * n, 0.0), 0.3, 0.03, 0.01, steps), (7, 3),
           (500, 500), (0, 1, 2)),
    Kernel(vasicek, lambda rng, steps, paths: (
        0.03, {'speed': 0.5, 'mean': 0.04, 'sigma': 0.02}, rng.normal(size=(steps, paths))), (4, 3), (250, 10_000), (0, 1)),
)
