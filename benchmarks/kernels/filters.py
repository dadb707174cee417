"""Signals and time series, one sample after the other."""
import numpy as np

from benchmarks.kernels.record import Kernel


def biquad(x, a, b):
    """A second-order recursive filter, its output written into an array."""
    y = np.zeros_like(x)
    y[0] = b[0] * x[0]
    y[1] = b[0] * x[1] + b[1] * x[0] - a[0] * y[0]
    for n in range(2, x.size):
        y[n] = b[0] * x[n] + b[1] * x[n - 1] + b[2] * x[n - 2] - a[0] * y[n - 1] - a[1] * y[n - 2]
    return np.mean(y ** 2)


def exponential_smoothing(series, alpha, beta):
    """Holt's linear trend: squared error of the forecasts."""
    level, trend = series[0], series[1] - series[0]
    loss = 0.0
    for value in series[2:]:
        forecast = level + trend
        loss += (value - forecast) ** 2
        level, previous = alpha * value + (1.0 - alpha) * forecast, level
        trend = beta * (level - previous) + (1.0 - beta) * trend
    return loss / series.size


def fir(signal, taps):
    """Convolution by two loops."""
    out = np.zeros(signal.size - taps.size + 1)
    for i in range(out.size):
        for k in range(taps.size):
            out[i] += signal[i + k] * taps[taps.size - 1 - k]
    return np.sum(out ** 2)


def kalman(observations, F, H, Q, R, x, P):
    """The log-likelihood of a linear state-space model."""
    loglik = 0.0
    for t in range(observations.shape[0]):
        x = F @ x
        P = F @ P @ F.T + Q
        innovation = observations[t] - H @ x
        S = H @ P @ H.T + R
        K = np.linalg.solve(S, H @ P).T
        x = x + K @ innovation
        P = P - K @ H @ P
        loglik -= 0.5 * (innovation @ np.linalg.solve(S, innovation) + np.log(np.linalg.det(S)))
    return loglik


def kalman_scalar(observations, params):
    """Local level model: two numbers carried, parameters in a dictionary."""
    level, variance, loglik = 0.0, 10.0, 0.0
    for t in range(observations.size):
        variance += params['q']
        surprise = observations[t] - level
        total = variance + params['r']
        gain = variance / total
        level += gain * surprise
        variance *= 1.0 - gain
        loglik -= 0.5 * (np.log(total) + surprise ** 2 / total)
    return loglik


def garch(returns, omega, alpha, beta):
    """The likelihood of GARCH(1, 1)."""
    variance = np.var(returns)
    total = 0.0
    for r in returns:
        total += np.log(variance) + r * r / variance
        variance = omega + alpha * r * r + beta * variance
    return 0.5 * total


def deriche(image, alpha):
    """PolyBench deriche: recursive filters along rows, forwards and backwards, then along columns."""
    w, h = image.shape
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    a1 = k
    a2 = k * np.exp(-alpha) * (alpha - 1.0)
    a3 = k * np.exp(-alpha) * (alpha + 1.0)
    a4 = -k * np.exp(-2.0 * alpha)
    b1, b2 = 2.0 ** -alpha, -np.exp(-2.0 * alpha)
    y1 = np.empty_like(image)
    y2 = np.empty_like(image)
    for i in range(w):
        ym1 = ym2 = xm1 = 0.0
        for j in range(h):
            y1[i, j] = a1 * image[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1 = image[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for i in range(w):
        yp1 = yp2 = xp1 = xp2 = 0.0
        for j in range(h - 1, -1, -1):
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2 = xp1
            xp1 = image[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    out = y1 + y2
    for j in range(h):
        tm1 = ym1 = ym2 = 0.0
        for i in range(w):
            y1[i, j] = a1 * out[i, j] + a2 * tm1 + b1 * ym1 + b2 * ym2
            tm1 = out[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    return np.sum(y1 ** 2)


def moving_mean(x, width):
    """Running mean by a window that slides: add the new, take away the old."""
    out = np.empty(x.size - width + 1)
    window = np.sum(x[:width])
    out[0] = window / width
    for i in range(width, x.size):
        window += x[i] - x[i - width]
        out[i - width + 1] = window / width
    return np.sum((x[width - 1:] - out) ** 2)


def _kalman(rng, steps):
    F = np.array([[1.0, 0.1, 0.0], [0.0, 0.9, 0.1], [0.0, 0.0, 0.8]])
    return (rng.normal(size=(steps, 2)), F, rng.normal(size=(2, 3)), 0.1 * np.eye(3), 0.5 * np.eye(2), np.zeros(3), np.eye(3))


KERNELS = (
    Kernel(biquad, lambda rng, n: (rng.normal(size=n), np.array([-1.2, 0.5]), np.array([0.2, 0.3, 0.1])), (12,), (500_000,),
           (0, 1, 2)),
    Kernel(exponential_smoothing, lambda rng, n: (rng.normal(size=n), 0.4, 0.3), (12,), (500_000,), (0, 1, 2)),
    Kernel(fir, lambda rng, n, taps: (rng.normal(size=n), rng.normal(size=taps)), (12, 3), (50_000, 32), (0, 1)),
    Kernel(kalman, lambda rng, steps: _kalman(rng, steps), (4,), (1000,), (1, 2, 3, 4)),
    Kernel(kalman_scalar, lambda rng, n: (rng.normal(size=n), {'q': 0.1, 'r': 0.7}), (12,), (300_000,), (0, 1)),
    Kernel(garch, lambda rng, n: (rng.normal(size=n), 0.1, 0.1, 0.8), (12,), (300_000,), (0, 1, 2, 3)),
    Kernel(deriche, lambda rng, n: (rng.normal(size=(n, n)), 0.25), (5,), (500,), (0, 1)),
    Kernel(moving_mean, lambda rng, n, width: (rng.normal(size=n), width), (12, 3), (1_000_000, 20)),
)
