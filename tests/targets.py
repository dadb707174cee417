"""What generated code should read like: primals, and the derivative that a careful person would write for each."""
import numpy as np


def sum_logistic(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def sum_logistic_grad(x):
    exp_x = np.exp(-x)
    y = 1.0 / (1.0 + exp_x)
    # pullback
    x_bar = y * y * exp_x
    return x_bar


def rectified_cube(x):
    r = 1.0
    if x < 0.0:
        for i in range(3):
            r *= x
        r = -r
    else:
        for i in range(3):
            r *= x
    return r


def rectified_cube_grad(x):
    r = 1.0
    r_at = np.empty(3)
    if x < 0.0:
        for i in range(3):
            r_at[i] = r
            r = r * x
    else:
        for i in range(3):
            r_at[i] = r
            r = r * x
    # pullback
    x_bar = 0.0
    if x < 0.0:
        r_bar = -1.0
        for i in range(2, -1, -1):
            x_bar += r_bar * r_at[i]
            r_bar *= x
    else:
        r_bar = 1.0
        for i in range(2, -1, -1):
            x_bar += r_bar * r_at[i]
            r_bar *= x
    return x_bar


def smooth(u, steps):
    for t in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    return np.sum(u ** 2)


def smooth_grad(u, steps):
    u = u.copy()                         # the primal writes into u
    for t in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    # pullback
    u_bar = 2.0 * u
    for t in range(steps - 1, -1, -1):
        for i in range(u.size - 2, 0, -1):
            c = u_bar[i]
            u_bar[i] = 0.5 * c
            u_bar[i - 1] += 0.25 * c
            u_bar[i + 1] += 0.25 * c
    return u_bar


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def newton_sqrt_grad(a):
    x = a
    x_tape = []
    while abs(x * x - a) > 1e-12 * a:
        x_tape.append(x)
        x = 0.5 * (x + a / x)
    # pullback
    x_bar, a_bar = 1.0, 0.0
    while x_tape:
        x = x_tape.pop()
        half = 0.5 * x_bar
        a_bar += half / x
        x_bar = half - half * a / (x * x)
    return a_bar + x_bar


def mlp_loss(params, x, y):
    (w1, b1), (w2, b2) = params
    h = np.tanh(x @ w1 + b1)
    return np.mean((h @ w2 + b2 - y) ** 2)


def mlp_loss_grad(params, x, y):
    (w1, b1), (w2, b2) = params
    h = np.tanh(x @ w1 + b1)
    err = h @ w2 + b2 - y
    # pullback
    err_bar = 2.0 / err.size * err
    w2_bar = h.T @ err_bar
    b2_bar = np.sum(err_bar, axis=0)
    # pullback
    z_bar = err_bar @ w2.T * (1.0 - h * h)
    w1_bar = x.T @ z_bar
    b1_bar = np.sum(z_bar, axis=0)
    return (w1_bar, b1_bar), (w2_bar, b2_bar)


def pendulum(theta, omega, dt, steps):
    for _ in range(steps):
        omega = omega - dt * np.sin(theta)
        theta = theta + dt * omega
    return theta


def pendulum_grad(theta, omega, dt, steps):
    thetas = np.empty(max(steps, 0))
    for k in range(steps):
        thetas[k] = theta
        omega -= dt * np.sin(theta)
        theta += dt * omega
    # pullback
    theta_bar, omega_bar = 1.0, 0.0
    for k in range(steps - 1, -1, -1):
        omega_bar += dt * theta_bar
        theta_bar -= dt * omega_bar * np.cos(thetas[k])
    return theta_bar


def attention(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    a = np.exp(s - np.max(s, axis=-1, keepdims=True))
    a = a / np.sum(a, axis=-1, keepdims=True)
    return np.sum((a @ v) ** 2)


def attention_grad(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    a = np.exp(s - np.max(s, axis=-1, keepdims=True))
    a = a / np.sum(a, axis=-1, keepdims=True)
    # pullback
    out_bar = 2.0 * (a @ v)
    v_bar = a.T @ out_bar
    a_bar = out_bar @ v.T
    s_bar = a * (a_bar - np.sum(a * a_bar, axis=-1, keepdims=True)) / np.sqrt(q.shape[1])
    return s_bar @ k, s_bar.T @ q, v_bar


def heat(u, steps, k):
    for t in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u ** 2)


def heat_grad(u, steps, k):
    u = u.copy()
    for t in range(steps):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
    # pullback
    u_bar = 2.0 * u
    for t in range(steps):
        flow_bar = k * u_bar[1:-1]
        u_bar[1:-1] -= 2.0 * flow_bar
        u_bar[2:] += flow_bar
        u_bar[:-2] += flow_bar
    return u_bar


def repulsion(x):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d * d, axis=2) + 1.0
    return np.sum(1.0 / r2)


def repulsion_grad(x):
    d = x[:, None, :] - x[None, :, :]
    inverse = 1.0 / (np.sum(d * d, axis=2) + 1.0)
    # pullback
    d_bar = -2.0 * (inverse * inverse)[:, :, None] * d
    return np.sum(d_bar, axis=1) - np.sum(d_bar, axis=0)


def pendulum_jvp(theta, omega, dt, steps, theta_dot, omega_dot):
    for _ in range(steps):
        omega_dot = omega_dot - dt * np.cos(theta) * theta_dot
        omega = omega - dt * np.sin(theta)
        theta_dot = theta_dot + dt * omega_dot
        theta = theta + dt * omega
    return theta, theta_dot
