# grad of pendulum (targets.py:122), for theta: float, omega: float, dt: float, steps: int
import numpy as np


def pendulum_grad(theta, omega, dt, steps):
    theta_at = np.empty(len(range(steps)))
    for i in range(steps):
        theta_at[i] = theta
        omega -= dt * np.sin(theta)
        theta += dt * omega
    # pullback of line 123: for _ in range(steps)
    theta_bar, omega_bar = 1.0, 0.0
    for i in range(steps - 1, -1, -1):
        omega_bar += theta_bar * dt  # line 125: theta = theta + dt * omega
        theta_bar -= omega_bar * dt * np.cos(theta_at[i])  # line 124: omega = omega - dt * np.sin(theta)
    return theta_bar
