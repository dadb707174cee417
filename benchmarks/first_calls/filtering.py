"""Filters and smoothers, and recursions over time series."""
import numpy as np

from benchmarks.first_calls.record import Program


def turned(state, dt):
    """A vehicle that moves in a circle: place, speed, heading, turn rate."""
    x, y, speed, heading, rate = state
    return np.array([x + dt * speed * np.cos(heading), y + dt * speed * np.sin(heading), speed, heading + dt * rate, rate])


def radar(state):
    """Distance and bearing."""
    return np.array([np.sqrt(state[0] ** 2 + state[1] ** 2), np.arctan2(state[1], state[0])])


def sigma_points(mean, cov, kappa):
    n = mean.size
    root = np.linalg.cholesky((n + kappa) * cov)
    points = np.zeros((2 * n + 1, n))
    points[0] = mean
    for i in range(n):
        points[i + 1] = mean + root[:, i]
        points[n + i + 1] = mean - root[:, i]
    weights = np.full(2 * n + 1, 0.5 / (n + kappa))
    weights[0] = kappa / (n + kappa)
    return points, weights


def unscented_kalman(log_noise, mean, cov, readings, dt):
    """The likelihood of radar readings under an unscented Kalman filter, as a function of its noise."""
    q, r = np.diag(np.exp(log_noise[:5])), np.diag(np.exp(log_noise[5:]))
    kappa, loss = 1.0, 0.0
    for z in readings:
        points, w = sigma_points(mean, cov, kappa)
        moved = np.array([turned(p, dt) for p in points])
        mean = w @ moved
        cov = q + (moved - mean).T @ (w[:, None] * (moved - mean))
        points, w = sigma_points(mean, cov, kappa)
        seen = np.array([radar(p) for p in points])
        expected = w @ seen
        S = r + (seen - expected).T @ (w[:, None] * (seen - expected))
        cross = (points - mean).T @ (w[:, None] * (seen - expected))
        gain = np.linalg.solve(S, cross.T).T
        surprise = z - expected
        mean = mean + gain @ surprise
        cov = cov - gain @ S @ gain.T
        loss += 0.5 * (surprise @ np.linalg.solve(S, surprise) + np.log(np.linalg.det(S)))
    return loss


def systematic(weights, start):
    """Indices by systematic resampling."""
    places = (start + np.arange(weights.size)) / weights.size
    return np.minimum(np.searchsorted(np.cumsum(weights), places), weights.size - 1)


def particle_filter(params, observations, noise, starts):
    """The likelihood of a stochastic volatility model: particles move, are weighted, and resampled when few are left."""
    mu, phi, sigma = params['mu'], np.tanh(params['phi']), np.exp(params['sigma'])
    count = noise.shape[1]
    h = mu + sigma / np.sqrt(1.0 - phi ** 2) * noise[0]
    log_weights = np.full(count, -np.log(count))
    loglik = 0.0
    for t in range(observations.size):
        h = mu + phi * (h - mu) + sigma * noise[t + 1]
        density = -0.5 * (np.log(2 * np.pi) + h + observations[t] ** 2 * np.exp(-h))
        total = log_weights + density
        peak = np.max(total)
        increment = peak + np.log(np.sum(np.exp(total - peak)))
        loglik += increment
        log_weights = total - increment
        weights = np.exp(log_weights)
        if 1.0 / np.sum(weights ** 2) < 0.5 * count:
            chosen = systematic(weights, starts[t])
            h = h[chosen]
            log_weights = np.full(count, -np.log(count))
    return -loglik / observations.size


def local_trend(params):
    """The matrices of a trend with a season of four quarters."""
    F = np.zeros((5, 5))
    F[0, 0] = F[0, 1] = F[1, 1] = 1.0
    F[2, 2:] = -1.0
    F[3, 2] = F[4, 3] = 1.0
    Q = np.diag(np.array([params['level'], params['slope'], params['season'], 0.0, 0.0]) ** 2)
    H = np.array([[1.0, 0.0, 1.0, 0.0, 0.0]])
    return F, Q, H, np.array([[params['noise'] ** 2]])


def rts_smoother(params, y, mean, cov):
    """Kalman's filter forwards, Rauch, Tung and Striebel's smoother backwards; how rough the smoothed level is."""
    F, Q, H, R = local_trend(params)
    n, d = y.size, mean.size
    means, covs = np.zeros((n, d)), np.zeros((n, d, d))
    ahead_means, ahead_covs = np.zeros((n, d)), np.zeros((n, d, d))
    loglik = 0.0
    for t in range(n):
        mean, cov = F @ mean, F @ cov @ F.T + Q
        ahead_means[t], ahead_covs[t] = mean, cov
        if not np.isnan(y[t]):
            surprise = y[t] - H @ mean
            S = H @ cov @ H.T + R
            K = cov @ H.T @ np.linalg.inv(S)
            mean = mean + K @ surprise
            joseph = np.eye(d) - K @ H
            cov = joseph @ cov @ joseph.T + K @ R @ K.T
            loglik -= 0.5 * (np.log(2 * np.pi * np.linalg.det(S)) + surprise @ np.linalg.inv(S) @ surprise)
        means[t], covs[t] = mean, cov
    smooth_mean, smooth_cov = means.copy(), covs.copy()
    for t in range(n - 2, -1, -1):
        G = np.linalg.solve(ahead_covs[t + 1], F @ covs[t]).T
        smooth_mean[t] = means[t] + G @ (smooth_mean[t + 1] - ahead_means[t + 1])
        smooth_cov[t] = covs[t] + G @ (smooth_cov[t + 1] - ahead_covs[t + 1]) @ G.T
    roughness = np.sum(np.diff(smooth_mean[:, 0], 2) ** 2)
    return -loglik + 0.1 * roughness + 0.01 * np.sum(smooth_cov[:, 0, 0])


def forward_backward(start, transitions, means, spreads, observations):
    """A hidden Markov model with Gaussian emissions: scaled forward and backward passes, and the expected complete likelihood."""
    T, K = observations.size, start.size
    pi = np.exp(start - np.max(start))
    pi = pi / np.sum(pi)
    A = np.exp(transitions - np.max(transitions, axis=1, keepdims=True))
    A = A / np.sum(A, axis=1, keepdims=True)
    emission = np.exp(-0.5 * ((observations[:, None] - means) / spreads) ** 2) / (spreads * np.sqrt(2 * np.pi))
    alpha, beta, scale = np.zeros((T, K)), np.zeros((T, K)), np.zeros(T)
    alpha[0] = pi * emission[0]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, T):
        for j in range(K):
            alpha[t, j] = emission[t, j] * np.dot(alpha[t - 1], A[:, j])
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    beta[-1] = 1.0
    for t in range(T - 2, -1, -1):
        beta[t] = A @ (emission[t + 1] * beta[t + 1]) / scale[t + 1]
    gamma = alpha * beta
    pairs = np.zeros((K, K))
    for t in range(T - 1):
        pairs += alpha[t][:, None] * A * (emission[t + 1] * beta[t + 1])[None, :] / scale[t + 1]
    entropy = -np.sum(gamma * np.log(gamma + 1e-12))
    return -np.sum(np.log(scale)) - np.sum(pairs * np.log(A)) + 0.1 * entropy


def distance_matrix(a, b):
    squares = np.sum(a ** 2, axis=1)[:, None] + np.sum(b ** 2, axis=1)[None, :] - 2.0 * a @ b.T
    return np.sqrt(np.maximum(squares, 1e-10))


def time_warping(a, b, window):
    """Dynamic time warping in a band, with the path walked back and the distances along it summed up."""
    n, m = len(a), len(b)
    cost = distance_matrix(a, b)
    table = np.full((n + 1, m + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(max(1, i - window), min(m, i + window) + 1):
            table[i, j] = cost[i - 1, j - 1] + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    i, j, length, along = n, m, 0, 0.0
    while i > 0 and j > 0:
        along += cost[i - 1, j - 1] ** 2
        length += 1
        best = np.argmin(np.array([table[i - 1, j - 1], table[i - 1, j], table[i, j - 1]]))
        if best == 0:
            i, j = i - 1, j - 1
        elif best == 1:
            i -= 1
        else:
            j -= 1
    return table[n, m] / length + 0.1 * along


def _radar(rng, steps=5):
    mean = np.array([10.0, 5.0, 1.0, 0.3, 0.1])
    return -2.0 + 0.1 * rng.normal(size=7), mean, 0.1 * np.eye(5), np.array([11.0, 0.5]) + 0.1 * rng.normal(size=(steps, 2)), 0.2


def _particles(rng, steps=8, count=20):
    params = {'mu': 0.2, 'phi': 1.0, 'sigma': -1.0}
    return params, rng.normal(size=steps), rng.normal(size=(steps + 1, count)), rng.random(steps)


def _quarters(rng, n=12):
    y = rng.normal(size=n).cumsum()
    y[4] = np.nan
    return {'level': 0.5, 'slope': 0.1, 'season': 0.2, 'noise': 0.6}, y, np.zeros(5), 4.0 * np.eye(5)


PROGRAMS = (
    Program(unscented_kalman, _radar, (0, 1)),
    Program(particle_filter, _particles),
    Program(rts_smoother, _quarters),
    Program(forward_backward, lambda rng: (*rng.normal(size=(1, 3)), rng.normal(size=(3, 3)), rng.normal(size=3),
                                           rng.uniform(0.5, 1.0, 3), rng.normal(size=8)), (0, 1, 2, 3)),
    Program(time_warping, lambda rng: (rng.normal(size=(7, 3)), rng.normal(size=(8, 3)), 4), (0, 1)),
)
