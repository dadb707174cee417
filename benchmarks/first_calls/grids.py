"""Simulations in the style of the well-known benchmarks of NumPy compilers: whole-array stencils, sweeps and pairs."""
import numpy as np

from benchmarks.first_calls.record import Program


def attraction(positions, masses, G, softening):
    """The acceleration of every body by all others, from matrices of differences."""
    x, y, z = positions[:, 0:1], positions[:, 1:2], positions[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = dx ** 2 + dy ** 2 + dz ** 2 + softening ** 2
    inverse[inverse > 0] = inverse[inverse > 0] ** -1.5
    ax = G * (dx * inverse) @ masses
    ay = G * (dy * inverse) @ masses
    az = G * (dz * inverse) @ masses
    return np.hstack((ax, ay, az))


def energies(positions, velocities, masses, G):
    """Kinetic and potential energy."""
    kinetic = 0.5 * np.sum(masses * velocities ** 2)
    x, y, z = positions[:, 0:1], positions[:, 1:2], positions[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    distance = np.sqrt(dx ** 2 + dy ** 2 + dz ** 2 + 1e-9)
    potential = -G * np.sum(np.triu(masses * masses.T / distance, 1))
    return kinetic, potential


def nbody(positions, velocities, masses, G, softening, dt, steps):
    """Leapfrog with all pairs at once; the energies of every step are kept, and their drift is the loss."""
    velocities = velocities - np.mean(masses * velocities, axis=0) / np.mean(masses)
    acceleration = attraction(positions, masses, G, softening)
    kinetic, potential = np.zeros(steps + 1), np.zeros(steps + 1)
    kinetic[0], potential[0] = energies(positions, velocities, masses, G)
    for i in range(steps):
        velocities += acceleration * dt / 2.0
        positions += velocities * dt
        acceleration = attraction(positions, masses, G, softening)
        velocities += acceleration * dt / 2.0
        kinetic[i + 1], potential[i + 1] = energies(positions, velocities, masses, G)
    total = kinetic + potential
    return np.sum((total - total[0]) ** 2) + np.sum(positions ** 2)


def divergence_source(rho, dt, dx, dy, u, v):
    """What the pressure equation has on its right, inside."""
    b = np.zeros_like(u)
    du_dx = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    dv_dy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    du_dy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    dv_dx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    b[1:-1, 1:-1] = rho * ((du_dx + dv_dy) / dt - du_dx ** 2 - 2 * du_dy * dv_dx - dv_dy ** 2)
    return b


def cavity_pressure(p, b, dx, dy, sweeps):
    """Jacobi's iteration; the lid has pressure zero, the walls no slope."""
    for _ in range(sweeps):
        old = p.copy()
        p[1:-1, 1:-1] = (((old[1:-1, 2:] + old[1:-1, :-2]) * dy ** 2 + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx ** 2)
                         / (2 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return p


def cavity_flow(u, v, p, nu, lid, dx, dy, dt, steps, sweeps):
    """A box of fluid with a moving lid."""
    rho = 1.0
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        b = divergence_source(rho, dt, dx, dy, u, v)
        p = cavity_pressure(p, b, dx, dy, sweeps)
        u[1:-1, 1:-1] = (un[1:-1, 1:-1]
                         - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
                         - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
                         + nu * (dt / dx ** 2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                                 + dt / dy ** 2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])))
        v[1:-1, 1:-1] = (vn[1:-1, 1:-1]
                         - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
                         - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
                         - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
                         + nu * (dt / dx ** 2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
                                 + dt / dy ** 2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])))
        u[0, :], u[:, 0], u[:, -1], u[-1, :] = 0, 0, 0, lid
        v[0, :], v[-1, :], v[:, 0], v[:, -1] = 0, 0, 0, 0
    return np.sum(u ** 2 + v ** 2) + np.sum(p ** 2)


def vertical_advection(utens, u, wcon, u_pos, utens_stage, dtr):
    """Implicit vertical advection of a weather model: a tridiagonal system in every column, by Thomas's sweeps."""
    ni, nj, nk = utens_stage.shape
    ccol = np.zeros((ni, nj, nk))
    dcol = np.zeros((ni, nj, nk))
    data_col = np.zeros((ni, nj))
    for k in range(nk):
        below = -0.125 * (wcon[1:, :, k] + wcon[:-1, :, k]) if k > 0 else np.zeros((ni, nj))
        above = 0.125 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1]) if k < nk - 1 else np.zeros((ni, nj))
        correction = np.zeros((ni, nj))
        if k > 0:
            correction -= below * (u[:, :, k - 1] - u[:, :, k])
        if k < nk - 1:
            correction -= above * (u[:, :, k + 1] - u[:, :, k])
        bcol = dtr - below - above
        ccol[:, :, k] = above
        dcol[:, :, k] = dtr * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction
        if k > 0:
            divided = 1.0 / (bcol - ccol[:, :, k - 1] * below)
            ccol[:, :, k] = ccol[:, :, k] * divided
            dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * below) * divided
        else:
            ccol[:, :, k] = ccol[:, :, k] / bcol
            dcol[:, :, k] = dcol[:, :, k] / bcol
    for k in range(nk - 1, -1, -1):
        datacol = dcol[:, :, k] if k == nk - 1 else dcol[:, :, k] - ccol[:, :, k] * data_col
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr * (datacol - u_pos[:, :, k])
    return np.sum(utens_stage ** 2)


def periodic(field, axis=1):
    """The neighbours to the right and to the left, around the end."""
    return np.roll(field, -1, axis), np.roll(field, 1, axis)


def channel_pressure(p, b, dx, dy, sweeps):
    """Jacobi's iteration in a channel that is periodic along x, with walls of no slope."""
    scale = 2 * (dx ** 2 + dy ** 2)
    for _ in range(sweeps):
        right, left = periodic(p)
        new = p.copy()
        new[1:-1, :] = (((right + left)[1:-1, :] * dy ** 2 + (p[2:, :] + p[:-2, :]) * dx ** 2) / scale
                        - dx ** 2 * dy ** 2 / scale * b[1:-1, :])
        new[-1, :], new[0, :] = new[-2, :], new[1, :]
        p = new
    return p


def channel_step(w, u, v, p, force, nu, dt, dx, dy):
    """One velocity after a step; `w` is `u` or `v`, p the slope of the pressure along it."""
    right, left = periodic(w)
    new = w.copy()
    new[1:-1, :] = (w[1:-1, :]
                    - u[1:-1, :] * dt / dx * (w - left)[1:-1, :]
                    - v[1:-1, :] * dt / dy * (w[1:-1, :] - w[:-2, :])
                    - dt * p[1:-1, :] + dt * force
                    + nu * dt * ((right - 2 * w + left)[1:-1, :] / dx ** 2 + (w[2:, :] - 2 * w[1:-1, :] + w[:-2, :]) / dy ** 2))
    new[0, :], new[-1, :] = 0, 0
    return new


def channel_flow(force, nu, u, v, p, dt, dx, dy, sweeps, tolerance):
    """A channel flow driven by a force, until it changes no more."""
    change, steps = 1.0, 0
    while change > tolerance and steps < 50:
        right_u, left_u = periodic(u)
        right_v, left_v = periodic(v)
        du_dx, dv_dx = (right_u - left_u) / (2 * dx), (right_v - left_v) / (2 * dx)
        du_dy, dv_dy = np.zeros_like(u), np.zeros_like(v)
        du_dy[1:-1, :] = (u[2:, :] - u[:-2, :]) / (2 * dy)
        dv_dy[1:-1, :] = (v[2:, :] - v[:-2, :]) / (2 * dy)
        b = (du_dx + dv_dy) / dt - du_dx ** 2 - 2 * du_dy * dv_dx - dv_dy ** 2
        p = channel_pressure(p, b, dx, dy, sweeps)
        right_p, left_p = periodic(p)
        p_x, p_y = (right_p - left_p) / (2 * dx), np.zeros_like(p)
        p_y[1:-1, :] = (p[2:, :] - p[:-2, :]) / (2 * dy)
        new_u = channel_step(u, u, v, p_x, force, nu, dt, dx, dy)
        new_v = channel_step(v, u, v, p_y, 0.0, nu, dt, dx, dy)
        change = (np.sum(new_u) - np.sum(u)) / np.sum(new_u)
        u, v = new_u, new_v
        steps += 1
    return np.sum(u ** 2) + np.sum(v ** 2)


def _columns(rng, ni=4, nj=4, nk=6):
    u, u_pos, utens, stage = (rng.normal(size=(ni, nj, nk)) for _ in range(4))
    return utens, u, rng.normal(size=(ni + 1, nj, nk)), u_pos, stage, 3.0 / 20.0


def _bodies(rng, n=6):
    return rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), rng.uniform(0.5, 1.0, (n, 1)), 1.0, 0.1, 0.01, 4


PROGRAMS = (
    Program(nbody, _bodies, (0, 1, 2)),
    Program(cavity_flow, lambda rng: (*0.1 * rng.normal(size=(3, 11, 11)), 0.1, 1.0, 0.2, 0.2, 0.001, 3, 5), (0, 1, 3, 4)),
    Program(channel_flow, lambda rng: (1.0, 0.1, *0.01 * rng.normal(size=(3, 11, 12)), 0.01, 0.2, 0.2, 5, 0.1), (0, 1)),
    Program(vertical_advection, _columns, (1, 2, 3)),
)
