"""Divide and conquer, and iterations that stop early."""
import numpy as np

from benchmarks.kernels.record import Kernel


def pairwise_sum(x, low, high):
    if high - low <= 8:
        total = 0.0
        for i in range(low, high):
            total += x[i] * np.sin(x[i])
        return total
    middle = (low + high) // 2
    return pairwise_sum(x, low, middle) + pairwise_sum(x, middle, high)


def recursive_sum(x):
    """Halves until a few are left."""
    return pairwise_sum(x, 0, x.size)


def simpson(f_a, f_m, f_b, a, b, k, tolerance):
    m = 0.5 * (a + b)
    f_l, f_r = wavy(0.5 * (a + m), k), wavy(0.5 * (m + b), k)
    coarse = (b - a) / 6.0 * (f_a + 4.0 * f_m + f_b)
    fine = (b - a) / 12.0 * (f_a + 4.0 * f_l + 2.0 * f_m + 4.0 * f_r + f_b)
    if abs(fine - coarse) < 15.0 * tolerance:
        return fine + (fine - coarse) / 15.0
    return (simpson(f_a, f_l, f_m, a, m, k, 0.5 * tolerance) + simpson(f_m, f_r, f_b, m, b, k, 0.5 * tolerance))


def wavy(x, k):
    return np.exp(-x) * np.sin(k * x * x)


def adaptive_quadrature(k, end, tolerance):
    """Adaptive Simpson: intervals are halved where the error asks for it."""
    return simpson(wavy(0.0, k), wavy(0.5 * end, k), wavy(end, k), 0.0, end, k, tolerance)


def haar(x):
    """A wavelet transform by halves, in place by slices."""
    n = x.size
    while n > 1:
        half = n // 2
        averages = (x[0:n:2] + x[1:n:2]) / np.sqrt(2.0)
        details = (x[0:n:2] - x[1:n:2]) / np.sqrt(2.0)
        x[:half] = averages
        x[half:n] = details
        n = half
    return np.sum(np.abs(x) ** 1.5)


def horner(coefficients, x, low, high):
    if high - low == 1:
        return coefficients[low]
    middle = (low + high + 1) // 2
    return horner(coefficients, x, low, middle) + x ** (middle - low) * horner(coefficients, x, middle, high)


def recursive_polynomial(coefficients, x):
    """A polynomial by halves of its coefficients."""
    return horner(coefficients, x, 0, coefficients.size)


def tree_energy(left, right, weight, node, depth_factor):
    if node < 0:
        return 0.0
    on_left = tree_energy(left, right, weight, left[node], depth_factor)
    on_right = tree_energy(left, right, weight, right[node], depth_factor)
    return np.tanh(weight[node]) + depth_factor * (on_left + on_right)


def tree_sum(weight, depth_factor, left, right):
    """A binary tree in arrays of children, visited recursively."""
    return tree_energy(left, right, weight, 0, depth_factor)


def mandelbrot(cx, cy, limit):
    """A smooth escape time for each pixel, left by `break`."""
    total = 0.0
    for j in range(cy.size):
        for i in range(cx.size):
            x = y = 0.0
            for n in range(limit):
                if x * x + y * y > 100.0:
                    total += n - np.log2(np.log(x * x + y * y))
                    break
                x, y = x * x - y * y + cx[i], 2.0 * x * y + cy[j]
    return total / (cx.size * cy.size)


def newton(c, start, tolerance):
    x = start
    for _ in range(100):
        step = (x ** 3 + c * x - 1.0) / (3.0 * x ** 2 + c)
        x -= step
        if abs(step) < tolerance:
            return x
    raise ValueError('no convergence')


def roots(cs, start, tolerance):
    """Newton's method in a function of its own, returned from within the loop."""
    total = 0.0
    for c in cs:
        total += newton(c, start, tolerance) ** 2
    return total


def kepler(eccentricity, anomalies):
    """Kepler's equation for many anomalies, each by Newton."""
    total = 0.0
    for m in anomalies:
        e = m
        while True:
            change = (e - eccentricity * np.sin(e) - m) / (1.0 - eccentricity * np.cos(e))
            e -= change
            if abs(change) < 1e-12:
                break
        total += np.cos(e)
    return total


def ray_march(center, radius, heights):
    """Sphere tracing: each ray steps by the distance until it hits or leaves."""
    image = np.zeros(heights.size)
    for k, height in enumerate(heights):
        t = 0.0
        for _ in range(64):
            dx, dy = t - center[0], height - center[1]
            distance = np.sqrt(dx * dx + dy * dy) - radius
            if distance < 1e-6:
                image[k] = 1.0 / (1.0 + t)
                break
            if t > 20.0:
                break
            t += distance
    return np.sum(image)


def _tree(rng, n):
    left, right = np.full(n, -1), np.full(n, -1)
    for child in range(1, n):
        parent = (child - 1) // 2
        if child % 2:
            left[parent] = child
        else:
            right[parent] = child
    return rng.normal(size=n), 0.7, left, right


KERNELS = (
    Kernel(recursive_sum, lambda rng, n: (rng.normal(size=n),), (20,), (200_000,)),
    Kernel(adaptive_quadrature, lambda rng, k: (float(k), 3.0, 1e-4 / k ** 2), (5,), (400,), (0, 1)),
    Kernel(haar, lambda rng, n: (rng.normal(size=2 ** n),), (3,), (18,)),
    Kernel(recursive_polynomial, lambda rng, n: (rng.normal(size=n), 0.9), (7,), (20_000,), (0, 1)),
    Kernel(tree_sum, _tree, (9,), (100_000,), (0, 1)),
    Kernel(mandelbrot, lambda rng, n: (np.linspace(-2.0, 0.6, n), np.linspace(-1.2, 1.3, n), 60), (5,), (150,), (0, 1)),
    Kernel(roots, lambda rng, n: (rng.uniform(0.1, 3.0, n), 2.0, 1e-12), (4,), (20_000,)),
    Kernel(kepler, lambda rng, n: (0.4, rng.uniform(0.0, 6.0, n)), (4,), (20_000,), (0, 1)),
    Kernel(ray_march, lambda rng, n: (np.array([5.0, 0.1]), 1.0, np.linspace(-1.5, 1.5, n)), (7,), (20_000,), (0, 1)),
)
