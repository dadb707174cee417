"""Prices of options, chemistry, and contractions of stacks."""
import numpy as np
from scipy.special import erf

from benchmarks.first_calls.record import Program


def normal_cdf(x):
    return 0.5 * (1.0 + erf(x / np.sqrt(2.0)))


def black_scholes(spot, strike, rate, dividend, sigma, maturity):
    root = sigma * np.sqrt(maturity)
    d1 = (np.log(spot / strike) + (rate - dividend + 0.5 * sigma ** 2) * maturity) / root
    d2 = d1 - root
    call = spot * np.exp(-dividend * maturity) * normal_cdf(d1) - strike * np.exp(-rate * maturity) * normal_cdf(d2)
    put = call - spot * np.exp(-dividend * maturity) + strike * np.exp(-rate * maturity)
    return call, put


def smile(params, strikes, maturity, forward):
    """Volatilities by the SVI parametrisation."""
    k = np.log(strikes / forward)
    a, b, rho, m, width = params
    return np.sqrt((a + b * (rho * (k - m) + np.sqrt((k - m) ** 2 + width ** 2))) / maturity)


def calibration(params, spot, strikes, maturities, rate, dividend, quotes, is_call):
    """How far the prices of a surface of volatilities are from quotes, with a penalty on arbitrage in time."""
    loss, before = 0.0, np.zeros(strikes.size)
    for i in range(maturities.size):
        T = maturities[i]
        vols = smile(params[i], strikes, T, spot * np.exp((rate - dividend) * T))
        calls, puts = black_scholes(spot, strikes, rate, dividend, vols, T)
        loss += np.sum((np.where(is_call, calls, puts) - quotes[i]) ** 2)
        total = vols ** 2 * T
        loss += 10.0 * np.sum(np.maximum(before - total, 0.0) ** 2)
        before = total
    return loss / quotes.size


def heston(params, spot, strikes, rate, maturity, noise, other, dt):
    """Barrier options under stochastic variance by full truncation, with antithetic paths and a smooth barrier."""
    kappa, theta, xi, rho, start = params
    count, steps = noise.shape
    log_price = np.full(2 * count, np.log(spot))
    variance = np.full(2 * count, start)
    alive, mean = np.ones(2 * count), np.zeros(2 * count)
    for t in range(steps):
        z1 = np.concatenate((noise[:, t], -noise[:, t]))
        z2 = rho * z1 + np.sqrt(1.0 - rho ** 2) * np.concatenate((other[:, t], -other[:, t]))
        positive = np.maximum(variance, 0.0)
        log_price += (rate - 0.5 * positive) * dt + np.sqrt(positive * dt) * z1
        variance += kappa * (theta - positive) * dt + xi * np.sqrt(positive * dt) * z2
        price = np.exp(log_price)
        alive *= 1.0 / (1.0 + np.exp(-20.0 * (1.4 * spot - price) / spot))
        mean += price / steps
    total = 0.0
    for k in range(strikes.size):
        european = np.mean(alive * np.maximum(np.exp(log_price) - strikes[k], 0.0))
        asian = np.mean(np.maximum(mean - strikes[k], 0.0))
        total += np.exp(-rate * maturity) * (european + 0.5 * asian)
    return total


def reaction_rates(log_a, energies, T):
    """Arrhenius's law."""
    return np.exp(log_a - energies / (8.314 * T))


def production(c, T, log_a, energies, reactants, products, heats):
    """How fast concentrations and temperature change under mass action, forwards and backwards."""
    k = reaction_rates(log_a, energies, T)
    change, warming = np.zeros_like(c), 0.0
    for r in range(k.size):
        forwards, backwards = k[r], 0.1 * k[r]
        for s in range(c.size):
            forwards *= c[s] ** reactants[r, s]
            backwards *= c[s] ** products[r, s]
        rate = forwards - backwards
        change += rate * (products[r] - reactants[r])
        warming += heats[r] * rate
    return change, warming


def jacobian_of(c, T, log_a, energies, reactants, products, heats):
    """By differences, as solvers of stiff equations do it."""
    J, base = np.zeros((c.size, c.size)), production(c, T, log_a, energies, reactants, products, heats)[0]
    for s in range(c.size):
        moved = c.copy()
        moved[s] += 1e-4
        J[:, s] = (production(moved, T, log_a, energies, reactants, products, heats)[0] - base) / 1e-4
    return J


def reactor(log_a, energies, c, T, reactants, products, heats, measured, dt):
    """A batch reactor by linearly implicit Euler steps, beside measured concentrations."""
    loss = 0.0
    for row in measured:
        change, warming = production(c, T, log_a, energies, reactants, products, heats)
        J = jacobian_of(c, T, log_a, energies, reactants, products, heats)
        c = c + np.linalg.solve(np.eye(c.size) - dt * J, dt * change)
        c = np.maximum(c, 1e-8)
        T = T + dt * (warming - 0.05 * (T - 300.0))
        loss += np.sum((np.log(c) - np.log(row)) ** 2)
    return loss / measured.size


def stacked_products(a, b, w):
    """Products of matrices that lie along the last axes of stacks."""
    return np.sum(w * np.einsum('ij...,ij...->...', a, b))


def _surface(rng, count=3):
    params = np.array([0.04, 0.1, -0.4, 0.0, 0.2]) + 0.01 * rng.normal(size=(count, 5))
    strikes = np.linspace(80.0, 120.0, 7)
    return params, 100.0, strikes, np.array([0.25, 0.5, 1.0]), 0.02, 0.01, rng.uniform(1.0, 20.0, (count, 7)), strikes > 100.0


def _paths(rng, count=6, steps=5):
    params, strikes = np.array([1.5, 0.04, 0.2, -0.6, 0.05]), np.array([90.0, 100.0])
    return params, 100.0, strikes, 0.02, 0.5, *rng.normal(size=(2, count, steps)), 0.1


def _reactor(rng, species=4):
    reactants = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 0]])
    products = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 2]])
    return (rng.normal(size=3), rng.uniform(1e3, 2e3, 3), rng.uniform(0.5, 1.0, species), 310.0, reactants, products,
            np.array([5.0, 3.0, 1.0]), rng.uniform(0.5, 1.0, (3, species)), 0.05)


PROGRAMS = (
    Program(calibration, _surface, (0, 1, 4)),
    Program(heston, _paths),
    Program(reactor, _reactor, (0, 1, 2)),
    Program(stacked_products, lambda rng: (*rng.normal(size=(2, 3, 4, 5, 6)), rng.normal(size=(5, 6))), (0, 1, 2)),
)
