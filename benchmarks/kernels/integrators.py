"""Ordinary differential equations, stepped in time."""
import numpy as np

from benchmarks.kernels.record import Kernel


def lorenz(state, params):
    x, y, z = state[0], state[1], state[2]
    out = np.empty(3)
    out[0] = params['sigma'] * (y - x)
    out[1] = x * (params['rho'] - z) - y
    out[2] = x * y - params['beta'] * z
    return out


def rk4_lorenz(state, params, dt, steps):
    """Arrays of three, with a right-hand side that makes one."""
    for _ in range(steps):
        k1 = lorenz(state, params)
        k2 = lorenz(state + 0.5 * dt * k1, params)
        k3 = lorenz(state + 0.5 * dt * k2, params)
        k4 = lorenz(state + dt * k3, params)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(state ** 2)


def rk4_trajectory(start, mu, dt, steps):
    """Van der Pol's oscillator, the whole trajectory kept in an array, tuples as states."""
    def velocity(x, v):
        return v, mu * (1.0 - x * x) * v - x

    path = np.empty((steps + 1, 2))
    path[0] = start
    for t in range(steps):
        x, v = path[t]
        a1, b1 = velocity(x, v)
        a2, b2 = velocity(x + 0.5 * dt * a1, v + 0.5 * dt * b1)
        a3, b3 = velocity(x + 0.5 * dt * a2, v + 0.5 * dt * b2)
        a4, b4 = velocity(x + dt * a3, v + dt * b3)
        path[t + 1, 0] = x + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        path[t + 1, 1] = v + dt / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
    return np.mean(path ** 2)


def pendulum(theta, omega, length, dt, steps):
    """Symplectic Euler, numbers only."""
    for _ in range(steps):
        omega -= dt * 9.81 / length * np.sin(theta)
        theta += dt * omega
    return 0.5 * omega ** 2 + 1.0 - np.cos(theta)


def leapfrog(q, p, mass, dt, steps):
    """A chain of nonlinear springs, positions and momenta in place."""
    n = q.size
    force = np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            left, right = q[i] - q[i - 1], q[i + 1] - q[i]
            force[i] = right - left + 0.25 * (right ** 3 - left ** 3)
        p += dt * force
        q[1:-1] += dt * p[1:-1] / mass
    return np.sum(p ** 2) / (2.0 * mass) + np.sum(q ** 2)


def accelerations(positions, masses):
    """NPBench's n-body form: all pairs at once."""
    x, y, z = positions[:, 0:1], positions[:, 1:2], positions[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = (dx ** 2 + dy ** 2 + dz ** 2 + 0.01) ** -1.5
    return np.hstack((dx * inverse @ masses, dy * inverse @ masses, dz * inverse @ masses))


def velocity_verlet(positions, velocities, masses, dt, steps):
    a = accelerations(positions, masses)
    for _ in range(steps):
        velocities += a * dt / 2.0
        positions += velocities * dt
        a = accelerations(positions, masses)
        velocities += a * dt / 2.0
    return 0.5 * np.sum(masses * velocities ** 2)


def adaptive_heun(y, rate, end, tolerance):
    """Step size control: rejected steps are tried again."""
    t, dt = 0.0, 0.01
    while t < end:
        dt = min(dt, end - t)
        k1 = np.cos(t) - rate * y ** 3
        guess = y + dt * k1
        k2 = np.cos(t + dt) - rate * guess ** 3
        better = y + 0.5 * dt * (k1 + k2)
        error = abs(better - guess)
        if error <= tolerance:
            t += dt
            y = better
        dt *= min(2.0, max(0.3, 0.9 * np.sqrt(tolerance / (error + 1e-12))))
    return y


def implicit_euler(y, k, dt, steps):
    """A stiff reaction, each step solved by Newton until it converges."""
    for _ in range(steps):
        new = y.copy()
        for i in range(y.size):
            for _ in range(20):
                residual = new[i] - y[i] + dt * k * new[i] ** 3
                change = residual / (1.0 + 3.0 * dt * k * new[i] ** 2)
                new[i] -= change
                if abs(change) < 1e-13:
                    break
        y = new
    return np.sum(y)


def predator_prey(params, steps):
    """Parameters and states in a dictionary that is updated."""
    state = {'prey': params['prey'], 'predator': params['predator']}
    for _ in range(steps):
        meeting = state['prey'] * state['predator']
        prey = state['prey'] + 0.001 * (params['birth'] * state['prey'] - params['hunt'] * meeting)
        state['predator'] += 0.001 * (params['gain'] * meeting - params['death'] * state['predator'])
        state['prey'] = prey
    return state['prey'] * state['predator']


KERNELS = (
    Kernel(rk4_lorenz, lambda rng, steps: (rng.normal(size=3), {'sigma': 10.0, 'rho': 28.0, 'beta': 8.0 / 3.0}, 0.005, steps),
           (4,), (3000,), (0, 1)),
    Kernel(rk4_trajectory, lambda rng, steps: (rng.normal(size=2), 1.5, 0.01, steps), (4,), (100_000,), (0, 1)),
    Kernel(pendulum, lambda rng, steps: (1.0, 0.5, 2.0, 0.001, steps), (5,), (200_000,), (0, 1, 2)),
    Kernel(leapfrog, lambda rng, n, steps: (rng.normal(size=n), np.zeros(n), 1.5, 0.05, steps), (6, 3), (1000, 1000), (0, 2)),
    Kernel(velocity_verlet, lambda rng, n, steps: (
        rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), rng.uniform(0.5, 1.0, (n, 1)), 0.01, steps), (4, 2), (64, 20),
           (0, 1, 2)),
    Kernel(adaptive_heun, lambda rng, end: (1.5, 0.7, float(end), 1e-6), (1,), (400,), (0, 1)),
    Kernel(implicit_euler, lambda rng, n, steps: (rng.uniform(0.5, 1.5, n), 5.0, 0.1, steps), (4, 2), (1000, 50), (0, 1)),
    Kernel(predator_prey, lambda rng, steps: (
        {'prey': 1.0, 'predator': 0.5, 'birth': 1.1, 'hunt': 0.4, 'gain': 0.1, 'death': 0.4}, steps), (5,), (200_000,)),
)
