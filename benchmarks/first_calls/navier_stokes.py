"""A solver of the incompressible Navier–Stokes equations with heat, on a staggered grid, as one finds them in theses."""
import numpy as np

from benchmarks.first_calls.record import Program


def bounded(u, v, inflow):
    """Velocities with their ghost cells: inflow on the left, outflow on the right, no slip on the walls."""
    u, v = u.copy(), v.copy()
    u[0, 1:-1] = inflow
    u[-1, :] = u[-2, :] + (np.sum(inflow) - np.sum(u[-2, 1:-1])) / inflow.size
    v[0, :] = -v[1, :]
    v[-1, :] = v[-2, :]
    u[:, 0] = -u[:, 1]
    u[:, -1] = -u[:, -2]
    v[:, 0] = 0.0
    v[:, -1] = 0.0
    return u, v


def heated(T, hot):
    """The temperature with its ghost cells: cold inflow, a heated bottom, an insulated top."""
    T = T.copy()
    T[0, :] = -T[1, :]
    T[-1, :] = T[-2, :]
    T[1:-1, 0] = 2.0 * hot - T[1:-1, 1]
    T[:, -1] = T[:, -2]
    return T


def momentum_x(u, v, nu, dx, dy, gamma):
    """What changes u but pressure: convection, partly upwind, and viscosity."""
    east, west = 0.5 * (u[2:, 1:-1] + u[1:-1, 1:-1]), 0.5 * (u[1:-1, 1:-1] + u[:-2, 1:-1])
    north_v = 0.5 * (v[1:-2, 1:] + v[2:-1, 1:])
    south_v = 0.5 * (v[1:-2, :-1] + v[2:-1, :-1])
    north, south = 0.5 * (u[1:-1, 1:-1] + u[1:-1, 2:]), 0.5 * (u[1:-1, :-2] + u[1:-1, 1:-1])
    upwind_x = (np.abs(east) * 0.5 * (u[1:-1, 1:-1] - u[2:, 1:-1]) - np.abs(west) * 0.5 * (u[:-2, 1:-1] - u[1:-1, 1:-1])) / dx
    upwind_y = (np.abs(north_v) * 0.5 * (u[1:-1, 1:-1] - u[1:-1, 2:])
                - np.abs(south_v) * 0.5 * (u[1:-1, :-2] - u[1:-1, 1:-1])) / dy
    convection = (east ** 2 - west ** 2) / dx + (north_v * north - south_v * south) / dy + gamma * (upwind_x + upwind_y)
    viscosity = nu * ((u[2:, 1:-1] - 2 * u[1:-1, 1:-1] + u[:-2, 1:-1]) / dx ** 2
                      + (u[1:-1, 2:] - 2 * u[1:-1, 1:-1] + u[1:-1, :-2]) / dy ** 2)
    return viscosity - convection


def momentum_y(u, v, nu, dx, dy, gamma):
    """The same of v."""
    east_u = 0.5 * (u[1:, 1:-2] + u[1:, 2:-1])
    west_u = 0.5 * (u[:-1, 1:-2] + u[:-1, 2:-1])
    east, west = 0.5 * (v[1:-1, 1:-1] + v[2:, 1:-1]), 0.5 * (v[:-2, 1:-1] + v[1:-1, 1:-1])
    north, south = 0.5 * (v[1:-1, 2:] + v[1:-1, 1:-1]), 0.5 * (v[1:-1, 1:-1] + v[1:-1, :-2])
    upwind_x = (np.abs(east_u) * 0.5 * (v[1:-1, 1:-1] - v[2:, 1:-1])
                - np.abs(west_u) * 0.5 * (v[:-2, 1:-1] - v[1:-1, 1:-1])) / dx
    upwind_y = (np.abs(north) * 0.5 * (v[1:-1, 1:-1] - v[1:-1, 2:]) - np.abs(south) * 0.5 * (v[1:-1, :-2] - v[1:-1, 1:-1])) / dy
    convection = (east_u * east - west_u * west) / dx + (north ** 2 - south ** 2) / dy + gamma * (upwind_x + upwind_y)
    viscosity = nu * ((v[2:, 1:-1] - 2 * v[1:-1, 1:-1] + v[:-2, 1:-1]) / dx ** 2
                      + (v[1:-1, 2:] - 2 * v[1:-1, 1:-1] + v[1:-1, :-2]) / dy ** 2)
    return viscosity - convection


def heat(T, u, v, kappa, dx, dy):
    """How fast the temperature changes."""
    flow_x = u[:, 1:-1] * 0.5 * (T[1:, 1:-1] + T[:-1, 1:-1])
    flow_y = v[1:-1, :] * 0.5 * (T[1:-1, 1:] + T[1:-1, :-1])
    diffusion = kappa * ((T[2:, 1:-1] - 2 * T[1:-1, 1:-1] + T[:-2, 1:-1]) / dx ** 2
                         + (T[1:-1, 2:] - 2 * T[1:-1, 1:-1] + T[1:-1, :-2]) / dy ** 2)
    return diffusion - (flow_x[1:] - flow_x[:-1]) / dx - (flow_y[:, 1:] - flow_y[:, :-1]) / dy


def laplacian(p, dx, dy):
    """Of the pressure, which has no slope at inflow and walls, and is zero at the outflow."""
    padded = np.zeros((p.shape[0] + 2, p.shape[1] + 2))
    padded[1:-1, 1:-1] = p
    padded[0, 1:-1], padded[-1, 1:-1] = p[0], -p[-1]
    padded[1:-1, 0], padded[1:-1, -1] = p[:, 0], p[:, -1]
    return ((padded[2:, 1:-1] - 2 * p + padded[:-2, 1:-1]) / dx ** 2
            + (padded[1:-1, 2:] - 2 * p + padded[1:-1, :-2]) / dy ** 2)


def pressure(b, p, dx, dy, iterations, tolerance):
    """Conjugate gradients on Poisson's equation."""
    r = laplacian(p, dx, dy) - b
    d = r.copy()
    rr = np.sum(r * r)
    for _ in range(iterations):
        if rr < tolerance:
            break
        q = -laplacian(d, dx, dy)
        alpha = rr / np.sum(d * q)
        p = p + alpha * d
        r = r - alpha * q
        new = np.sum(r * r)
        d = r + (new / rr) * d
        rr = new
    return p


def corrected(u, v, p, dt, dx, dy):
    """The velocities after the pressure has done its work."""
    u, v = u.copy(), v.copy()
    u[1:-1, 1:-1] -= dt * (p[1:] - p[:-1]) / dx
    u[-1, 1:-1] += 2.0 * dt * p[-1] / dx
    v[1:-1, 1:-1] -= dt * (p[:, 1:] - p[:, :-1]) / dy
    return u, v


def immersed(u, v, solid_u, solid_v):
    """No flow in what is solid, and the force that this takes."""
    force = np.sum(solid_u * u)
    return u * (1.0 - solid_u), v * (1.0 - solid_v), force


def step(u, v, T, p, inflow, hot, params, solid_u, solid_v, dt, dx, dy):
    """One time step: predictor, projection, temperature."""
    u, v = bounded(u, v, inflow)
    T = heated(T, hot)
    ahead_u, ahead_v = u.copy(), v.copy()
    ahead_u[1:-1, 1:-1] += dt * momentum_x(u, v, params['nu'], dx, dy, params['gamma'])
    ahead_v[1:-1, 1:-1] += dt * momentum_y(u, v, params['nu'], dx, dy, params['gamma'])
    ahead_v[1:-1, 1:-1] += dt * params['buoyancy'] * 0.5 * (T[1:-1, 2:-1] + T[1:-1, 1:-2])
    ahead_u, ahead_v, drag = immersed(ahead_u, ahead_v, solid_u, solid_v)
    divergence = ((ahead_u[1:, 1:-1] - ahead_u[:-1, 1:-1]) / dx + (ahead_v[1:-1, 1:] - ahead_v[1:-1, :-1]) / dy)
    p = pressure(divergence / dt, p, dx, dy, 8, 1e-20)
    u, v = corrected(ahead_u, ahead_v, p, dt, dx, dy)
    T[1:-1, 1:-1] = T[1:-1, 1:-1] + dt * heat(T, u, v, params['kappa'], dx, dy)
    return u, v, T, p, drag / dt


def solids(shape, center, radius, sharpness, dx, dy):
    """A cylinder, softly, on the faces of the two velocities."""
    nx, ny = shape
    xu, yu = np.arange(nx + 1)[:, None] * dx, (np.arange(ny + 2)[None, :] - 0.5) * dy
    xv, yv = (np.arange(nx + 2)[:, None] - 0.5) * dx, np.arange(ny + 1)[None, :] * dy
    to_u = radius - np.sqrt((xu - center[0]) ** 2 + (yu - center[1]) ** 2 + 1e-12)
    to_v = radius - np.sqrt((xv - center[0]) ** 2 + (yv - center[1]) ** 2 + 1e-12)
    return 0.5 * (1.0 + np.tanh(sharpness * to_u)), 0.5 * (1.0 + np.tanh(sharpness * to_v))


def navier_stokes(inflow, hot, params, center, radius, shape, dx, dy, dt, steps):
    """Drag of a cylinder in a heated channel, and how evenly warm the outflow is."""
    nx, ny = shape
    solid_u, solid_v = solids(shape, center, radius, 4.0 / dx, dx, dy)
    u, v = np.zeros((nx + 1, ny + 2)), np.zeros((nx + 2, ny + 1))
    u[:, 1:-1] = inflow
    T, p = np.zeros((nx + 2, ny + 2)), np.zeros((nx, ny))
    drag, warmth = 0.0, 0.0
    for k in range(steps):
        u, v, T, p, force = step(u, v, T, p, inflow, hot, params, solid_u, solid_v, dt, dx, dy)
        drag += force
        if k >= steps // 2:
            warmth += np.var(T[-2, 1:-1])
    vorticity = (v[1:, 1:-1] - v[:-1, 1:-1]) / dx - (u[:, 2:-1] - u[:, 1:-2]) / dy
    return drag / steps + 10.0 * warmth + 1e-3 * np.mean(vorticity ** 2)


def _channel(rng, nx=12, ny=8):
    params = {'nu': 0.02, 'gamma': 0.3, 'kappa': 0.02, 'buoyancy': 0.5}
    return 1.0 + 0.1 * rng.random(ny), 1.0 + 0.1 * rng.random(nx), params, (0.32, 0.27), 0.13, (nx, ny), 0.1, 0.07, 0.01, 4


PROGRAMS = (Program(navier_stokes, _channel, (0, 1, 2, 3, 4)),)
