"""Programs of ten to fifteen lines whose Hessian is asked for, as Newton's method and stability need it."""
import numpy as np

from benchmarks.first_calls.record import Program


def logistic_regression(w, X, y, penalty):
    """Newton's method for a classifier."""
    margins = X @ w[:-1] + w[-1]
    loss = 0.0
    for i in range(y.size):
        m = y[i] * margins[i]
        if m > 0:
            loss += np.log1p(np.exp(-m))
        else:
            loss += -m + np.log1p(np.exp(m))
    smooth = np.sum(np.diff(w[:-1]) ** 2)
    return loss / y.size + penalty * (np.sum(w[:-1] ** 2) + smooth)


def gaussian_process(log_params, x, y):
    """Laplace's approximation over the parameters of a kernel."""
    length, amplitude, noise = np.exp(log_params)
    d = x[:, None] - x[None, :]
    near = amplitude ** 2 * np.exp(-0.5 * d ** 2 / length ** 2)
    seasonal = 0.5 * np.exp(-2.0 * np.sin(np.pi * np.abs(d)) ** 2)
    K = near + near * seasonal + noise ** 2 * np.eye(x.size)
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    fit = 0.5 * y @ alpha
    volume = np.sum(np.log(np.diag(L)))
    prior = 0.5 * np.sum(log_params ** 2)
    return fit + volume + 0.5 * x.size * np.log(2.0 * np.pi) + prior


def chain_energy(q, masses, stiffness):
    """Normal modes of a hanging chain."""
    points = q.reshape(-1, 2)
    before, energy = np.zeros(2), 0.0
    for i in range(points.shape[0]):
        d = points[i] - before
        length = np.sqrt(d[0] ** 2 + d[1] ** 2)
        energy += 0.5 * stiffness * (length - 1.0) ** 2
        energy += 9.81 * masses[i] * points[i, 1]
        if i > 0:
            last = points[i - 1] - (points[i - 2] if i > 1 else np.zeros(2))
            energy += 0.1 * (1.0 - d @ last / (length * np.sqrt(last @ last)))
        before = points[i]
    return energy


def cluster_energy(flat, epsilon, sigma):
    """Vibrations of a cluster of atoms."""
    atoms = flat.reshape(-1, 3)
    energy = 0.0
    for i in range(len(atoms)):
        for j in range(i):
            d = atoms[i] - atoms[j]
            r2 = d @ d
            s6 = (sigma ** 2 / r2) ** 3
            energy += 4.0 * epsilon * s6 * (s6 - 1.0)
    center = np.mean(atoms, axis=0)
    spread = np.sum((atoms - center) ** 2)
    return energy + 0.01 * spread


def shooting(controls, start, goal, dt):
    """The second-order step of an optimal control problem: a pendulum swung up by torques."""
    theta, omega = start
    cost = 0.0
    for u in controls:
        k1 = -9.81 * np.sin(theta) - 0.1 * omega + u
        middle, half = theta + 0.5 * dt * omega, omega + 0.5 * dt * k1
        k2 = -9.81 * np.sin(middle) - 0.1 * half + u
        theta, omega = theta + dt * half, omega + dt * k2
        cost += dt * (0.1 * u ** 2 + 1.0 - np.cos(theta - goal))
        cost += dt * 0.01 * omega ** 2
    return cost + 10.0 * (theta - goal) ** 2 + omega ** 2


def small_network(flat, x, y):
    """The curvature of the loss of a network with one hidden layer."""
    d, h = x.shape[1], 4
    w1, b1 = flat[:d * h].reshape(d, h), flat[d * h:d * h + h]
    w2, b2 = flat[d * h + h:d * h + 2 * h], flat[-1]
    hidden = np.tanh(x @ w1 + b1)
    out = hidden @ w2 + b2
    p = 1.0 / (1.0 + np.exp(-out))
    likelihood = np.mean(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))
    decay = 0.5 * np.sum(flat ** 2) / flat.size
    return 0.01 * decay - likelihood


def _lattice(rng, n=4):
    corners = np.array([[0.0, 0.0, 0.0], [1.1, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 0.3, 0.9]])[:n]
    return (corners + 0.05 * rng.normal(size=(n, 3))).ravel(), 1.0, 1.0


def _hanging(rng, n=4):
    points = np.stack((0.2 * rng.normal(size=n), -1.1 * np.arange(1.0, n + 1.0)), axis=1)
    return points.ravel(), rng.uniform(0.5, 1.0, n), 30.0


PROGRAMS = (
    Program(logistic_regression, lambda rng: (rng.normal(size=5), rng.normal(size=(12, 4)), rng.choice([-1.0, 1.0], 12), 0.1),
            hessian=True),
    Program(gaussian_process, lambda rng: (0.3 * rng.normal(size=3), rng.random(10), rng.normal(size=10)), hessian=True),
    Program(chain_energy, _hanging, hessian=True),
    Program(cluster_energy, _lattice, hessian=True),
    Program(shooting, lambda rng: (rng.normal(size=8), (0.1, 0.0), np.pi, 0.1), hessian=True),
    Program(small_network, lambda rng: (rng.normal(size=25), rng.normal(size=(9, 4)), rng.integers(0, 2, 9) * 1.0), hessian=True),
)
