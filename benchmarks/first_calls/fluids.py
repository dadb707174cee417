"""Fluids: a fluid step of an animation, shallow water, and a lattice of populations."""
import numpy as np

from benchmarks.first_calls.record import Program

DIRECTIONS = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
WEIGHTS = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36])
OPPOSITE = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])


def diffused(field, before, amount, sweeps):
    for _ in range(sweeps):
        neighbours = np.roll(field, 1, 0) + np.roll(field, -1, 0) + np.roll(field, 1, 1) + np.roll(field, -1, 1)
        field = (before + amount * neighbours) / (1 + 4 * amount)
    return field


def projected(vx, vy, sweeps):
    """The velocities without their divergence."""
    h = 1.0 / vx.shape[0]
    div = -0.5 * h * (np.roll(vx, -1, 0) - np.roll(vx, 1, 0) + np.roll(vy, -1, 1) - np.roll(vy, 1, 1))
    p = np.zeros_like(vx)
    for _ in range(sweeps):
        p = (div + np.roll(p, 1, 0) + np.roll(p, -1, 0) + np.roll(p, 1, 1) + np.roll(p, -1, 1)) / 4.0
    vx = vx - 0.5 * (np.roll(p, -1, 0) - np.roll(p, 1, 0)) / h
    vy = vy - 0.5 * (np.roll(p, -1, 1) - np.roll(p, 1, 1)) / h
    return vx, vy


def advected(field, vx, vy, dt):
    """Every cell takes what was where its fluid came from, by bilinear interpolation."""
    rows, cols = field.shape
    ys, xs = np.meshgrid(np.arange(rows), np.arange(cols), indexing='ij')
    y, x = ys - dt * vx * rows, xs - dt * vy * cols
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    wy, wx = y - top, x - left
    top, left = top % rows, left % cols
    bottom, right = (top + 1) % rows, (left + 1) % cols
    upper = (1 - wx) * field[top, left] + wx * field[top, right]
    lower = (1 - wx) * field[bottom, left] + wx * field[bottom, right]
    return (1 - wy) * upper + wy * lower


def smoke(vx, vy, density, target, viscosity, dt, steps):
    """How far smoke in a fluid is from a picture at the end."""
    for _ in range(steps):
        vx, vy = diffused(vx, vx, viscosity, 4), diffused(vy, vy, viscosity, 4)
        vx, vy = projected(vx, vy, 6)
        vx, vy = advected(vx, vx, vy, dt), advected(vy, vx, vy, dt)
        vx, vy = projected(vx, vy, 6)
        density = advected(density, vx, vy, dt)
    return np.mean((density - target) ** 2)


def equilibrium(rho, u):
    """The populations at rest with the fluid."""
    square = 1.5 * np.sum(u ** 2, axis=0)
    result = np.zeros((9, *rho.shape))
    for i in range(9):
        along = 3.0 * (DIRECTIONS[i, 0] * u[0] + DIRECTIONS[i, 1] * u[1])
        result[i] = rho * WEIGHTS[i] * (1.0 + along + 0.5 * along ** 2 - square)
    return result


def lattice_boltzmann(inflow, omega, obstacle, steps):
    """D2Q9 with a single relaxation time, bounce-back on an obstacle, inflow on the left and outflow on the right."""
    nx, ny = obstacle.shape
    velocity = np.zeros((2, nx, ny))
    velocity[0] = inflow
    populations = equilibrium(np.ones((nx, ny)), velocity)
    incoming = equilibrium(np.ones((nx, ny)), velocity)
    drag = 0.0
    for _ in range(steps):
        populations[[3, 6, 7], -1, :] = populations[[3, 6, 7], -2, :]
        rho = np.sum(populations, axis=0)
        u = np.einsum('ia,ixy->axy', DIRECTIONS.astype(float), populations) / rho
        u[:, 0, :] = velocity[:, 0, :]
        rho[0, :] = (np.sum(populations[[0, 2, 4], 0, :], axis=0)
                     + 2.0 * np.sum(populations[[3, 6, 7], 0, :], axis=0)) / (1.0 - u[0, 0, :])
        settled = equilibrium(rho, u)
        populations[[1, 5, 8], 0, :] = incoming[[1, 5, 8], 0, :] + populations[[3, 7, 6], 0, :] - incoming[[3, 7, 6], 0, :]
        after = populations - omega * (populations - settled)
        for i in range(9):
            after[i] = np.where(obstacle, populations[OPPOSITE[i]], after[i])
        drag += np.sum(np.where(obstacle, u[0] * rho, 0.0))
        for i in range(9):
            populations[i] = np.roll(np.roll(after[i], DIRECTIONS[i, 0], axis=0), DIRECTIONS[i, 1], axis=1)
    return drag + np.mean(u ** 2)


def fluxes(h, hu, hv, g):
    """What flows through faces: mass and two momenta, along both axes."""
    u, v = hu / h, hv / h
    pressure = 0.5 * g * h ** 2
    return (hu, hu * u + pressure, hu * v), (hv, hv * u, hv * v + pressure)


def rusanov(state, flux, speed, axis):
    """The flux through the faces between neighbours, with the diffusion that the fastest wave needs."""
    other, fastest = np.roll(state, -1, axis), np.maximum(speed, np.roll(speed, -1, axis))
    return 0.5 * (flux + np.roll(flux, -1, axis)) - 0.5 * fastest * (other - state)


def rates(h, hu, hv, bottom, g, dx, friction, coriolis):
    """How fast the state of shallow water changes."""
    along_x, along_y = fluxes(h, hu, hv, g)
    wave = np.sqrt(g * h)
    speed_x, speed_y = np.abs(hu / h) + wave, np.abs(hv / h) + wave
    changes = []
    for state, fx, fy in zip((h, hu, hv), along_x, along_y):
        through_x, through_y = rusanov(state, fx, speed_x, 0), rusanov(state, fy, speed_y, 1)
        changes.append(-(through_x - np.roll(through_x, 1, 0) + through_y - np.roll(through_y, 1, 1)) / dx)
    slope_x = (np.roll(bottom, -1, 0) - np.roll(bottom, 1, 0)) / (2 * dx)
    slope_y = (np.roll(bottom, -1, 1) - np.roll(bottom, 1, 1)) / (2 * dx)
    drag = friction * np.sqrt(hu ** 2 + hv ** 2 + 1e-12) / h ** 2
    changes[1] = changes[1] - g * h * slope_x - drag * hu + coriolis * hv
    changes[2] = changes[2] - g * h * slope_y - drag * hv - coriolis * hu
    return changes


def shallow_water(height, bottom, friction, gauges, readings, g, dx, dt, steps):
    """A wave over a bottom, by Heun's method; what gauges would read beside what they have read."""
    h, hu, hv = height - bottom, np.zeros_like(height), np.zeros_like(height)
    misfit = 0.0
    for step in range(steps):
        d1 = rates(h, hu, hv, bottom, g, dx, friction, 1e-4)
        d2 = rates(h + dt * d1[0], hu + dt * d1[1], hv + dt * d1[2], bottom, g, dx, friction, 1e-4)
        h = h + 0.5 * dt * (d1[0] + d2[0])
        hu = hu + 0.5 * dt * (d1[1] + d2[1])
        hv = hv + 0.5 * dt * (d1[2] + d2[2])
        seen = h[gauges[:, 0], gauges[:, 1]] + bottom[gauges[:, 0], gauges[:, 1]]
        misfit += np.sum((seen - readings[step]) ** 2)
    return misfit + 1e-3 * np.sum((bottom[1:] - bottom[:-1]) ** 2)


def _smoke(rng, n=10):
    vx, vy = 0.3 * rng.normal(size=(2, n, n))
    return vx, vy, rng.random((n, n)), rng.random((n, n)), 0.05, 0.1, 2


def _obstacle(rng, nx=12, ny=9):
    x, y = np.mgrid[:nx, :ny]
    return 0.04 + 0.01 * rng.random((nx, ny)), 1.2, (x - 4) ** 2 + (y - 4) ** 2 < 4, 4


def _basin(rng, n=8, steps=3):
    height, bottom = 1.0 + 0.1 * rng.random((n, n)), 0.2 * rng.random((n, n))
    readings = 1.0 + 0.1 * rng.random((steps, 4))
    return height, bottom, 0.01, rng.integers(0, n, (4, 2)), readings, 9.81, 1.0, 0.05, steps


PROGRAMS = (
    Program(smoke, _smoke, (0, 1)),
    Program(lattice_boltzmann, _obstacle, (0, 1)),
    Program(shallow_water, _basin, (0, 1, 2)),
)
