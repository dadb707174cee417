"""Robots: dynamics by recursion over links, and the cost of a flight."""
import numpy as np

from benchmarks.first_calls.record import Program


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def rotation(axis, angle):
    """Rodrigues' formula."""
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def newton_euler(q, qd, qdd, axes, offsets, masses, centers, inertias):
    """The torques of a chain of joints: velocities and accelerations outwards, forces inwards."""
    n = q.size
    w, wd, a = np.zeros((n + 1, 3)), np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
    a[0] = np.array([0.0, 0.0, 9.81])
    turns, forces, moments = np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    for i in range(n):
        turns[i] = rotation(axes[i], q[i])
        R = turns[i].T
        w[i + 1] = R @ w[i] + qd[i] * axes[i]
        wd[i + 1] = R @ wd[i] + qdd[i] * axes[i] + np.cross(R @ w[i], qd[i] * axes[i])
        a[i + 1] = R @ (a[i] + np.cross(wd[i], offsets[i]) + np.cross(w[i], np.cross(w[i], offsets[i])))
        center = a[i + 1] + np.cross(wd[i + 1], centers[i]) + np.cross(w[i + 1], np.cross(w[i + 1], centers[i]))
        forces[i] = masses[i] * center
        moments[i] = inertias[i] @ wd[i + 1] + np.cross(w[i + 1], inertias[i] @ w[i + 1])
    torques = np.zeros(n)
    force, moment = np.zeros(3), np.zeros(3)
    for i in range(n - 1, -1, -1):
        if i < n - 1:
            carried = turns[i + 1] @ force
            moment = turns[i + 1] @ moment + np.cross(offsets[i + 1], carried)
            force = carried
        force = force + forces[i]
        moment = moment + moments[i] + np.cross(centers[i], forces[i])
        torques[i] = moment @ axes[i]
    return torques


def identified(q, qd, qdd, axes, offsets, masses, centers, inertias, measured):
    """How far the torques along a movement are from those measured."""
    loss = 0.0
    for t in range(q.shape[0]):
        torques = newton_euler(q[t], qd[t], qdd[t], axes, offsets, masses, centers, inertias)
        loss += np.sum((torques - measured[t]) ** 2)
    return loss / q.shape[0]


def transform(R, p):
    """Motion vectors from a frame to one that is turned and moved."""
    X = np.zeros((6, 6))
    X[:3, :3] = R
    X[3:, 3:] = R
    X[3:, :3] = -R @ skew(p)
    return X


def spatial_inertia(mass, center, inertia):
    c = skew(center)
    I = np.zeros((6, 6))
    I[:3, :3] = inertia + mass * c @ c.T
    I[:3, 3:] = mass * c
    I[3:, :3] = mass * c.T
    I[3:, 3:] = mass * np.eye(3)
    return I


def cross_motion(v):
    X = np.zeros((6, 6))
    X[:3, :3] = skew(v[:3])
    X[3:, 3:] = skew(v[:3])
    X[3:, :3] = skew(v[3:])
    return X


def articulated_body(q, qd, torques, axes, offsets, masses, centers, inertias):
    """Featherstone's algorithm: the accelerations of the joints, by inertias of articulated bodies."""
    n = q.size
    S, X, v, c = [], [], [], []
    articulated, bias = [], []
    for i in range(n):
        S.append(np.concatenate((axes[i], np.zeros(3))))
        X.append(transform(rotation(axes[i], q[i]).T, offsets[i]))
        joint = S[i] * qd[i]
        v.append(joint if i == 0 else X[i] @ v[i - 1] + joint)
        c.append(cross_motion(v[i]) @ joint)
        inertia = spatial_inertia(masses[i], centers[i], inertias[i])
        articulated.append(inertia)
        bias.append(-cross_motion(v[i]).T @ (inertia @ v[i]))
    U, d, u = [np.zeros(6)] * n, [0.0] * n, [0.0] * n
    for i in range(n - 1, -1, -1):
        U[i] = articulated[i] @ S[i]
        d[i] = S[i] @ U[i]
        u[i] = torques[i] - S[i] @ bias[i]
        if i > 0:
            reduced = articulated[i] - np.outer(U[i], U[i]) / d[i]
            pushed = bias[i] + reduced @ c[i] + U[i] * u[i] / d[i]
            articulated[i - 1] = articulated[i - 1] + X[i].T @ reduced @ X[i]
            bias[i - 1] = bias[i - 1] + X[i].T @ pushed
    qdd = np.zeros(n)
    a = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 9.81])
    for i in range(n):
        a = X[i] @ a + c[i]
        qdd[i] = (u[i] - U[i] @ a) / d[i]
        a = a + S[i] * qdd[i]
    return qdd


def reach(q, qd, controls, axes, offsets, masses, centers, inertias, target, dt):
    """An arm driven by torques: how far its hand ends from a target, and what the torques cost."""
    cost = 0.0
    for torques in controls:
        qdd = articulated_body(q, qd, torques - 0.1 * qd, axes, offsets, masses, centers, inertias)
        qd = qd + dt * qdd
        q = q + dt * qd
        cost += 1e-3 * np.sum(torques ** 2) * dt
    R, place = np.eye(3), np.zeros(3)
    for i in range(3):
        place = place + R @ offsets[i]
        R = R @ rotation(axes[i], q[i])
    place = place + R @ np.array([0.0, 0.0, 0.3])
    return cost + np.sum((place - target) ** 2) + 0.1 * np.sum(qd ** 2)


def quaternion_product(a, b):
    w1, x1, y1, z1 = a
    w2, x2, y2, z2 = b
    return np.array([w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2, w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
                     w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2, w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2])


def turned(q, v):
    """A vector turned by a unit quaternion."""
    t = 2.0 * np.cross(q[1:], v)
    return v + q[0] * t + np.cross(q[1:], t)


def quadrotor(state, thrusts, body):
    """How fast place, velocity, attitude and turn rates of a quadrotor change."""
    velocity, attitude, rates = state[3:6], state[6:10], state[10:13]
    arm, drag, inertia = body['arm'], body['drag'], body['inertia']
    lift = np.array([0.0, 0.0, np.sum(thrusts)])
    air = -body['friction'] * velocity * np.sqrt(np.sum(velocity ** 2) + 1e-9)
    acceleration = (turned(attitude, lift) + air) / body['mass'] - np.array([0.0, 0.0, 9.81])
    torque = np.array([arm * (thrusts[1] - thrusts[3]), arm * (thrusts[2] - thrusts[0]),
                       drag * (thrusts[0] - thrusts[1] + thrusts[2] - thrusts[3])])
    turning = (torque - np.cross(rates, inertia * rates)) / inertia
    spinning = 0.5 * quaternion_product(attitude, np.concatenate((np.zeros(1), rates)))
    return np.concatenate((velocity, acceleration, spinning, turning))


def flight_cost(controls, state, body, goal, obstacles, dt):
    """The cost of a plan of model predictive control: Runge–Kutta steps, a goal, obstacles, limits and smooth controls."""
    cost, before = 0.0, controls[0]
    for thrusts in controls:
        k1 = quadrotor(state, thrusts, body)
        k2 = quadrotor(state + 0.5 * dt * k1, thrusts, body)
        k3 = quadrotor(state + 0.5 * dt * k2, thrusts, body)
        k4 = quadrotor(state + dt * k3, thrusts, body)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        state[6:10] /= np.linalg.norm(state[6:10])
        cost += np.sum((state[:3] - goal) ** 2) + 0.1 * np.sum(state[3:6] ** 2) + 0.01 * np.sum(state[10:] ** 2)
        for x, y, z, radius in obstacles:
            distance = np.sqrt((state[0] - x) ** 2 + (state[1] - y) ** 2 + (state[2] - z) ** 2)
            if distance < radius:
                cost += 50.0 * (radius - distance) ** 2
        cost += np.sum(np.maximum(thrusts - 5.0, 0.0) ** 2) + np.sum(np.maximum(-thrusts, 0.0) ** 2)
        cost += 0.01 * np.sum((thrusts - before) ** 2)
        before = thrusts
    return cost + 10.0 * np.sum((state[:3] - goal) ** 2)


def _arm(rng, n=3):
    axes = np.eye(3)[[2, 1, 1]][:n]
    inertias = np.array([np.diag(row) for row in rng.uniform(0.01, 0.02, (n, 3))])
    offsets = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 0.3], [0.1, 0.0, 0.3]])[:n]
    return axes, offsets, rng.uniform(1.0, 2.0, n), 0.1 * rng.normal(size=(n, 3)), inertias


def _movement(rng, steps=3):
    return *rng.normal(size=(3, steps, 3)), *_arm(rng), rng.normal(size=(steps, 3))


def _reach(rng):
    return *rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), *_arm(rng), np.array([0.3, 0.2, 0.5]), 0.02


def _flight(rng, steps=4):
    body = {'mass': 0.8, 'arm': 0.2, 'drag': 0.02, 'friction': 0.1, 'inertia': np.array([0.01, 0.011, 0.02])}
    state = np.concatenate((rng.normal(size=6), [1.0, 0.0, 0.0, 0.0], 0.1 * rng.normal(size=3)))
    obstacles = np.array([[0.5, 0.5, 0.5, 2.0], [9.0, 9.0, 9.0, 1.0]])
    return 2.0 + 0.3 * rng.normal(size=(steps, 4)), state, body, np.ones(3), obstacles, 0.05


PROGRAMS = (
    Program(identified, _movement, (5, 6, 7)),
    Program(reach, _reach, (0, 2)),
    Program(flight_cost, _flight),
)
