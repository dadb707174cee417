"""Relaxation in place: each value reads neighbours that this sweep has already changed."""
import numpy as np

from benchmarks.kernels.record import Kernel


def seidel_2d(A, steps):
    """PolyBench seidel-2d."""
    n = A.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                A[i, j] = (A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1] + A[i, j - 1] + A[i, j] + A[i, j + 1] +
                           A[i + 1, j - 1] + A[i + 1, j] + A[i + 1, j + 1]) / 9.0
    return np.sum(A ** 2)


def gauss_seidel_nonlinear(u, f, h, sweeps):
    """-laplace u + u**3 = f, one Newton step for each point in turn."""
    for _ in range(sweeps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                residual = 4.0 * u[i, j] - around + h * h * (u[i, j] ** 3 - f[i, j])
                u[i, j] -= residual / (4.0 + 3.0 * h * h * u[i, j] ** 2)
    return np.sum(u ** 2)


def sor(u, f, omega, sweeps):
    """Successive over-relaxation, red and black points by strided slices of a row."""
    for _ in range(sweeps):
        for colour in range(2):
            for i in range(1, u.shape[0] - 1):
                first = 1 + (i + colour) % 2
                for j in range(first, u.shape[1] - 1, 2):
                    gauss = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
                    u[i, j] = (1.0 - omega) * u[i, j] + omega * gauss
    return np.sum(u ** 2)


def red_black(u, f, sweeps):
    """The same points by strided slices of the whole array."""
    for _ in range(sweeps):
        u[1:-1:2, 1:-1:2] = 0.25 * (u[:-2:2, 1:-1:2] + u[2::2, 1:-1:2] + u[1:-1:2, :-2:2] + u[1:-1:2, 2::2] - f[1:-1:2, 1:-1:2])
        u[2:-1:2, 2:-1:2] = 0.25 * (u[1:-2:2, 2:-1:2] + u[3::2, 2:-1:2] + u[2:-1:2, 1:-2:2] + u[2:-1:2, 3::2] - f[2:-1:2, 2:-1:2])
        u[1:-1:2, 2:-1:2] = 0.25 * (u[:-2:2, 2:-1:2] + u[2::2, 2:-1:2] + u[1:-1:2, 1:-2:2] + u[1:-1:2, 3::2] - f[1:-1:2, 2:-1:2])
        u[2:-1:2, 1:-1:2] = 0.25 * (u[1:-2:2, 1:-1:2] + u[3::2, 1:-1:2] + u[2:-1:2, :-2:2] + u[2:-1:2, 2::2] - f[2:-1:2, 1:-1:2])
    return np.sum(u ** 2)


def adi(u, steps):
    """PolyBench adi: alternating directions, each an elimination along rows or columns."""
    n = u.shape[0]
    v = np.zeros((n, n))
    p = np.zeros((n, n))
    q = np.zeros((n, n))
    a, b = -0.3, 1.6
    d, e = -0.2, 1.4
    for _ in range(1, steps + 1):
        v[0, 1:n - 1] = 1.0
        p[1:n - 1, 0] = 0.0
        q[1:n - 1, 0] = v[0, 1:n - 1]
        for j in range(1, n - 1):
            p[1:n - 1, j] = -a / (a * p[1:n - 1, j - 1] + b)
            q[1:n - 1, j] = (-d * u[j, 0:n - 2] + (1.0 + 2.0 * d) * u[j, 1:n - 1] - d * u[j, 2:n] - a * q[1:n - 1, j - 1]) / (
                a * p[1:n - 1, j - 1] + b)
        v[n - 1, 1:n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:n - 1] = p[1:n - 1, j] * v[j + 1, 1:n - 1] + q[1:n - 1, j]
        u[1:n - 1, 0] = 1.0
        p[1:n - 1, 0] = 0.0
        q[1:n - 1, 0] = u[1:n - 1, 0]
        for j in range(1, n - 1):
            p[1:n - 1, j] = -d / (d * p[1:n - 1, j - 1] + e)
            q[1:n - 1, j] = (-a * v[0:n - 2, j] + (1.0 + 2.0 * a) * v[1:n - 1, j] - a * v[2:n, j] - d * q[1:n - 1, j - 1]) / (
                d * p[1:n - 1, j - 1] + e)
        u[1:n - 1, n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:n - 1, j] = p[1:n - 1, j] * u[1:n - 1, j + 1] + q[1:n - 1, j]
    return np.sum(u ** 2)


def cavity_pressure(p, b, dx, dy, iterations):
    """The pressure solve of NPBench's cavity flow, with its boundary conditions."""
    pn = np.empty_like(p)
    for _ in range(iterations):
        pn[:] = p
        p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, :-2]) * dy ** 2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx ** 2) /
                         (2.0 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2.0 * (dx ** 2 + dy ** 2)) * b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0
    return np.sum(p ** 2)


def hotspot(temperature, power, cap, rx, ry, rz, ambient, steps):
    """Rodinia hotspot: temperatures of a chip, with clamped borders."""
    rows, columns = temperature.shape
    result = np.zeros((rows, columns))
    for _ in range(steps):
        for r in range(rows):
            for c in range(columns):
                here = temperature[r, c]
                north = temperature[max(r - 1, 0), c]
                south = temperature[min(r + 1, rows - 1), c]
                west = temperature[r, max(c - 1, 0)]
                east = temperature[r, min(c + 1, columns - 1)]
                result[r, c] = here + cap * (power[r, c] + (south + north - 2.0 * here) / ry +
                                             (east + west - 2.0 * here) / rx + (ambient - here) / rz)
        temperature[:] = result
    return np.sum(temperature ** 2)


def srad(image, lam, iterations):
    """Rodinia srad: diffusion that reduces speckle; gradients and a coefficient for each pixel."""
    rows, columns = image.shape
    north, south, west, east = (np.empty_like(image) for _ in range(4))
    coefficient = np.empty_like(image)
    for _ in range(iterations):
        q0 = np.var(image) / np.mean(image) ** 2
        for i in range(rows):
            for j in range(columns):
                center = image[i, j]
                north[i, j] = image[max(i - 1, 0), j] - center
                south[i, j] = image[min(i + 1, rows - 1), j] - center
                west[i, j] = image[i, max(j - 1, 0)] - center
                east[i, j] = image[i, min(j + 1, columns - 1)] - center
                g2 = (north[i, j] ** 2 + south[i, j] ** 2 + west[i, j] ** 2 + east[i, j] ** 2) / center ** 2
                slope = (north[i, j] + south[i, j] + west[i, j] + east[i, j]) / center
                q = (0.5 * g2 - slope * slope / 16.0) / (1.0 + 0.25 * slope) ** 2
                c = 1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))
                coefficient[i, j] = min(max(c, 0.0), 1.0)
        for i in range(rows):
            for j in range(columns):
                here = coefficient[i, j]
                below = coefficient[min(i + 1, rows - 1), j]
                right = coefficient[i, min(j + 1, columns - 1)]
                image[i, j] += 0.25 * lam * (here * north[i, j] + below * south[i, j] + here * west[i, j] + right * east[i, j])
    return np.sum(image ** 2)


KERNELS = (
    Kernel(seidel_2d, lambda rng, n, steps: (rng.normal(size=(n, n)), steps), (6, 3), (200, 20)),
    Kernel(gauss_seidel_nonlinear, lambda rng, n, sweeps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), 0.1, sweeps), (6, 3),
           (150, 20), (0, 1)),
    Kernel(sor, lambda rng, n, sweeps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), 1.5, sweeps), (6, 3), (200, 40),
           (0, 2)),
    Kernel(red_black, lambda rng, n, sweeps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), sweeps), (7, 3), (201, 50),
           (0, 1)),
    Kernel(adi, lambda rng, n, steps: (rng.normal(size=(n, n)), steps), (6, 2), (150, 15)),
    Kernel(cavity_pressure, lambda rng, n, steps: (rng.normal(size=(n, n)), rng.normal(size=(n, n)), 0.1, 0.2, steps), (6, 3),
           (150, 50), (0, 1)),
    Kernel(hotspot, lambda rng, n, steps: (rng.uniform(20.0, 30.0, (n, n)), rng.uniform(size=(n, n)), 0.05, 1.0, 1.5, 10.0,
                                           25.0, steps), (5, 2), (150, 30), (0, 1, 2)),
    Kernel(srad, lambda rng, n, steps: (rng.uniform(0.5, 1.5, (n, n)), 0.5, steps), (5, 2), (100, 10), (0, 1)),
)
