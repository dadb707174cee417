# vmap of function (test_batch.py:90), for theta: float64[n], omega: float64[n]
import numpy as np


def function_vmap(theta, omega):
    for _ in range(10):
        omega = omega - 0.1 * np.sin(theta)
        theta = theta + 0.1 * omega
    return theta
