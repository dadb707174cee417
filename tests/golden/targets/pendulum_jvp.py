# jvp of pendulum (targets.py:122), for theta: float, omega: float, dt: float, steps: int, theta_dot: float, omega_dot: float
import numpy as np


def pendulum_jvp(theta, omega, dt, steps, theta_dot, omega_dot):
    for _ in range(steps):
        omega_dot -= dt * np.cos(theta) * theta_dot
        omega -= dt * np.sin(theta)
        theta_dot += dt * omega_dot
        theta += dt * omega
    return theta, theta_dot
