"""Explicit schemes on grids, updated in place with slices."""
import numpy as np

from benchmarks.kernels.record import Kernel


def heat_1d(u, alpha, steps):
    for _ in range(steps):
        u[1:-1] += alpha * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u ** 2)


def heat_2d(u, kappa, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + kappa * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
    return np.sum(u ** 2)


def heat_3d(A, B, steps):
    """PolyBench heat-3d, as in NPBench."""
    for _ in range(1, steps):
        B[1:-1, 1:-1, 1:-1] = (0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1]) +
                               0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1]) +
                               0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, 0:-2]) +
                               A[1:-1, 1:-1, 1:-1])
        A[1:-1, 1:-1, 1:-1] = (0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1]) +
                               0.125 * (B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1]) +
                               0.125 * (B[1:-1, 1:-1, 2:] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, 1:-1, 0:-2]) +
                               B[1:-1, 1:-1, 1:-1])
    return np.sum(A * A)


def jacobi_2d(A, B, steps):
    """PolyBench jacobi-2d, as in NPBench."""
    for _ in range(1, steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
    return np.sum(A * A)


def wave_1d(u, courant, steps):
    """The wave equation by three buffers that change places."""
    previous = u.copy()
    current = u.copy()
    following = np.zeros_like(u)
    for _ in range(steps):
        for i in range(1, u.size - 1):
            following[i] = 2.0 * current[i] - previous[i] + courant ** 2 * (current[i + 1] - 2.0 * current[i] + current[i - 1])
        previous, current, following = current, following, previous
    return np.sum(current ** 2)


def wave_2d(u, speed, steps):
    """The wave equation in a medium, two buffers swapped at the end of each step."""
    old = u.copy()
    for _ in range(steps):
        old[1:-1, 1:-1] = 2.0 * u[1:-1, 1:-1] - old[1:-1, 1:-1] + speed[1:-1, 1:-1] * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
        u, old = old, u
    return np.sum(u ** 2)


def advection_upwind(u, speed, courant, steps):
    """First-order upwind: the side read depends on the sign of the speed."""
    for _ in range(steps):
        before = u.copy()
        for i in range(1, u.size - 1):
            if speed[i] > 0.0:
                u[i] -= courant * speed[i] * (before[i] - before[i - 1])
            else:
                u[i] -= courant * speed[i] * (before[i + 1] - before[i])
    return np.sum(u ** 2)


def burgers(u, nu, dt, dx, steps):
    """Viscous Burgers on a periodic interval."""
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = (un[1:-1] - un[1:-1] * dt / dx * (un[1:-1] - un[:-2]) +
                   nu * dt / dx ** 2 * (un[2:] - 2.0 * un[1:-1] + un[:-2]))
        u[0] = un[0] - un[0] * dt / dx * (un[0] - un[-2]) + nu * dt / dx ** 2 * (un[1] - 2.0 * un[0] + un[-2])
        u[-1] = u[0]
    return np.sum(u ** 2)


def laplacian(field):
    return field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2] - 4.0 * field[1:-1, 1:-1]


def gray_scott(u, v, params, steps):
    """Reaction and diffusion, with the interiors as views that are updated in place."""
    inner_u, inner_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
    for _ in range(steps):
        lu, lv = laplacian(u), laplacian(v)
        reaction = inner_u * inner_v * inner_v
        inner_u += params['du'] * lu - reaction + params['feed'] * (1.0 - inner_u)
        inner_v += params['dv'] * lv + reaction - (params['feed'] + params['kill']) * inner_v
    return np.sum(v)


def fdtd_2d(ex, ey, hz, source):
    """PolyBench fdtd-2d, as in NPBench."""
    for t in range(source.size):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(hz ** 2)


KERNELS = (
    Kernel(heat_1d, lambda rng, n, steps: (rng.normal(size=n), 0.2, steps), (12, 3), (4000, 500)),
    Kernel(heat_2d, lambda rng, n, steps: (rng.normal(size=(n, n)), 0.2, steps), (6, 3), (200, 50), (0, 1)),
    Kernel(heat_3d, lambda rng, n, steps: (rng.normal(size=(n, n, n)), rng.normal(size=(n, n, n)), steps), (5, 3), (40, 10)),
    Kernel(jacobi_2d, lambda rng, n, steps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), steps), (6, 3), (200, 40), (0, 1)),
    Kernel(wave_1d, lambda rng, n, steps: (rng.normal(size=n), 0.5, steps), (12, 4), (4000, 500)),
    Kernel(wave_2d, lambda rng, n, steps: (rng.normal(size=(n, n)), rng.uniform(0.1, 0.3, (n, n)), steps), (6, 3), (200, 50),
           (0, 1)),
    Kernel(advection_upwind, lambda rng, n, steps: (
        rng.normal(size=n), np.sin(np.linspace(1.0, 20.0, n)), 0.2, steps), (12, 3), (4000, 300), (0, 1)),
    Kernel(burgers, lambda rng, n, steps: (rng.uniform(1.0, 2.0, n), 0.07, 1e-4, 2.0 / n, steps), (12, 3), (4000, 300), (0, 1)),
    Kernel(gray_scott, lambda rng, n, steps: (rng.uniform(0.5, 1.0, (n, n)), rng.uniform(0.0, 0.5, (n, n)), {
        'du': 0.16, 'dv': 0.08, 'feed': 0.06, 'kill': 0.062}, steps), (6, 3), (150, 50), (0, 1, 2)),
    Kernel(fdtd_2d, lambda rng, n, steps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=(n, n)),
                                           rng.normal(size=steps)), (6, 3), (200, 40), (0, 2, 3)),
)
