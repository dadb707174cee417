"""Running statistics, densities, splines and fits."""
import numpy as np

from benchmarks.kernels.record import Kernel


def welford(x):
    """Mean, variance and skewness in one pass."""
    mean, m2, m3 = 0.0, 0.0, 0.0
    for n, value in enumerate(x):
        delta = value - mean
        step = delta / (n + 1)
        term = delta * step * n
        m3 += term * step * (n - 1) - 3.0 * step * m2
        m2 += term
        mean += step
    return m3 / m2 ** 1.5


def kde(points, samples, bandwidth):
    """A Gaussian kernel density at points, two loops."""
    total = 0.0
    for p in points:
        density = 0.0
        for s in samples:
            z = (p - s) / bandwidth
            density += np.exp(-0.5 * z * z)
        total += np.log(density / (samples.size * bandwidth))
    return total


def spline(x, y, at):
    """A natural cubic spline: second derivatives by elimination, then evaluation with a search for the interval."""
    n = x.size
    second = np.zeros(n)
    u = np.zeros(n)
    for i in range(1, n - 1):
        sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        p = sig * second[i - 1] + 2.0
        second[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p
    for k in range(n - 2, -1, -1):
        second[k] = second[k] * second[k + 1] + u[k]
    total = 0.0
    for value in at:
        low, high = 0, n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if x[middle] > value:
                high = middle
            else:
                low = middle
        h = x[high] - x[low]
        a, b = (x[high] - value) / h, (value - x[low]) / h
        total += a * y[low] + b * y[high] + ((a ** 3 - a) * second[low] + (b ** 3 - b) * second[high]) * h * h / 6.0
    return total


def covariance(data):
    """PolyBench covariance, as in NPBench."""
    mean = np.mean(data, axis=0)
    data -= mean
    n, m = data.shape
    cov = np.zeros((m, m))
    for i in range(m):
        cov[i:m, i] = data[:, i] @ data[:, i:m] / (n - 1.0)
        cov[i, i:m] = cov[i:m, i]
    return np.sum(cov ** 2)


def correlation(data):
    """PolyBench correlation, as in NPBench: small deviations are replaced by one."""
    n, m = data.shape
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(n) * stddev
    corr = np.eye(m)
    for i in range(m - 1):
        corr[i + 1:m, i] = data[:, i] @ data[:, i + 1:m]
        corr[i, i + 1:m] = corr[i + 1:m, i]
    return np.sum(corr ** 3)


def soft_kmeans(points, centers, beta, rounds):
    """Centres moved by weighted means, in place; sums are gathered in a list first."""
    for _ in range(rounds):
        totals = np.zeros_like(centers)
        weights = np.zeros(centers.shape[0])
        for i in range(points.shape[0]):
            distances = np.sum((centers - points[i]) ** 2, axis=1)
            w = np.exp(-beta * (distances - np.min(distances)))
            w /= np.sum(w)
            totals += w[:, None] * points[i]
            weights += w
        centers[:] = totals / weights[:, None]
    return np.sum(centers ** 2)


def clipped_regression(w, x, y, threshold):
    """Huber's loss, with a branch for each residual and clipped weights by a mask."""
    w = w.copy()
    w[w > 2.0] = 2.0
    losses = []
    for row, target in zip(x, y):
        r = row @ w - target
        if abs(r) <= threshold:
            losses.append(0.5 * r * r)
        else:
            losses.append(threshold * (abs(r) - 0.5 * threshold))
    return np.mean(np.array(losses))


def autocorrelation(x, lags):
    """A list of lagged products, from a comprehension over slices."""
    x = x - np.mean(x)
    products = [np.mean(x[:-k] * x[k:]) for k in range(1, lags + 1)]
    return sum(p ** 2 for p in products) / np.mean(x * x) ** 2


KERNELS = (
    Kernel(welford, lambda rng, n: (rng.normal(size=n),), (9,), (500_000,)),
    Kernel(kde, lambda rng, n, m: (rng.normal(size=n), rng.normal(size=m), 0.5), (4, 5), (400, 1000), (0, 1, 2)),
    Kernel(spline, lambda rng, n, m: (np.sort(rng.uniform(size=n)), rng.normal(size=n), rng.uniform(size=m)), (6, 5),
           (1000, 50_000), (0, 1, 2)),
    Kernel(covariance, lambda rng, n, m: (rng.normal(size=(n, m)),), (6, 4), (400, 100)),
    Kernel(correlation, lambda rng, n, m: (rng.normal(size=(n, m)),), (6, 4), (400, 100)),
    Kernel(soft_kmeans, lambda rng, n, k: (rng.normal(size=(n, 3)), rng.normal(size=(k, 3)), 0.7, 3), (6, 2), (2000, 8),
           (0, 1, 2)),
    Kernel(clipped_regression, lambda rng, n, m: (2.0 * rng.normal(size=m), rng.normal(size=(n, m)), rng.normal(size=n), 1.0),
           (6, 3), (20_000, 20)),
    Kernel(autocorrelation, lambda rng, n, lags: (rng.normal(size=n), lags), (12, 3), (100_000, 10)),
)
