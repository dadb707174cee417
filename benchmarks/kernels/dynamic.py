"""Tables filled in order, each entry from its neighbours."""
import numpy as np

from benchmarks.kernels.record import Kernel


def softmin(a, b, c, gamma):
    low = min(a, b, c)
    return low - gamma * np.log(np.exp((low - a) / gamma) + np.exp((low - b) / gamma) + np.exp((low - c) / gamma))


def soft_dtw(x, y, gamma):
    """Soft dynamic time warping, with a helper called for every entry."""
    n, m = x.size, y.size
    table = np.full((n + 1, m + 1), 1e8)
    table[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            table[i, j] = cost + softmin(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1], gamma)
    return table[n, m]


def edit_distance(x, y, gap):
    """Alignment with a price for gaps, two rows at a time."""
    previous = gap * np.arange(y.size + 1.0)
    for i in range(x.size):
        current = np.empty(y.size + 1)
        current[0] = previous[0] + gap
        for j in range(y.size):
            current[j + 1] = min(previous[j] + abs(x[i] - y[j]), previous[j + 1] + gap, current[j] + gap)
        previous = current
    return previous[-1]


def needleman_wunsch(similarity, penalty):
    """Rodinia nw: scores filled in place, with branches instead of max."""
    n, m = similarity.shape
    score = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        score[i, 0] = -i * penalty
    for j in range(1, m + 1):
        score[0, j] = -j * penalty
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            best = score[i - 1, j - 1] + similarity[i - 1, j - 1]
            if score[i, j - 1] - penalty > best:
                best = score[i, j - 1] - penalty
            if score[i - 1, j] - penalty > best:
                best = score[i - 1, j] - penalty
            score[i, j] = best
    return score[n, m]


def pathfinder(wall):
    """Rodinia pathfinder: the cheapest way down, rows at once."""
    cost = wall[0].copy()
    for r in range(1, wall.shape[0]):
        below = cost.copy()
        below[1:] = np.minimum(below[1:], cost[:-1])
        below[:-1] = np.minimum(below[:-1], cost[1:])
        cost = below + wall[r]
    return np.min(cost)


def knapsack(values, weights, capacity, temperature):
    """A knapsack with a soft maximum, filled backwards in place."""
    best = np.zeros(capacity + 1)
    for item in range(values.size):
        for c in range(capacity, weights[item] - 1, -1):
            take = best[c - weights[item]] + values[item]
            best[c] = temperature * np.logaddexp(best[c] / temperature, take / temperature)
    return best[capacity]


def hmm_forward(log_start, log_trans, log_emit, observed):
    """The likelihood of a hidden Markov model, by log-sum-exp over states."""
    states = log_start.size
    alpha = log_start + log_emit[:, observed[0]]
    for t in range(1, observed.size):
        new = np.empty(states)
        for j in range(states):
            terms = alpha + log_trans[:, j]
            top = np.max(terms)
            new[j] = top + np.log(np.sum(np.exp(terms - top))) + log_emit[j, observed[t]]
        alpha = new
    top = np.max(alpha)
    return top + np.log(np.sum(np.exp(alpha - top)))


def ctc(logits, labels):
    """Connectionist temporal classification, probabilities rescaled each step; label 0 is the blank."""
    steps, length = logits.shape[0], 2 * labels.size + 1
    alpha = np.zeros(length)
    loss = 0.0
    for t in range(steps):
        p = np.exp(logits[t] - np.max(logits[t]))
        p /= np.sum(p)
        if t == 0:
            alpha[0] = p[0]
            alpha[1] = p[labels[0]]
        else:
            for s in range(length - 1, -1, -1):
                total = alpha[s]
                if s > 0:
                    total += alpha[s - 1]
                if s % 2 == 1 and s > 1 and labels[s // 2] != labels[s // 2 - 1]:
                    total += alpha[s - 2]
                alpha[s] = total * (p[0] if s % 2 == 0 else p[labels[s // 2]])
        scale = np.sum(alpha)
        alpha /= scale
        loss -= np.log(scale)
    return loss - np.log(alpha[-1] + alpha[-2])


def viterbi(log_trans, log_emit, observed):
    """The score of the best path: a maximum for every state and step."""
    score = log_emit[:, observed[0]].copy()
    for t in range(1, len(observed)):
        best = np.zeros_like(score)
        for j in range(score.size):
            best[j] = np.max(score + log_trans[:, j]) + log_emit[j, observed[t]]
        score[:] = best
    return np.max(score)


def floyd_warshall(path):
    """PolyBench floyd-warshall, as in NPBench."""
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
    return np.sum(path)


def matrix_chain(scale, dims):
    """The cheapest order of products, over spans of growing length."""
    n = dims.size - 1
    cost = np.zeros((n, n))
    for span in range(1, n):
        for i in range(n - span):
            j = i + span
            cost[i, j] = np.inf
            for k in range(i, j):
                here = cost[i, k] + cost[k + 1, j] + scale * dims[i] * dims[k + 1] * dims[j + 1]
                if here < cost[i, j]:
                    cost[i, j] = here
    return cost[0, n - 1]


def _hmm(rng, states, symbols, steps):
    return np.log(rng.dirichlet(np.ones(states))), np.log(rng.dirichlet(np.ones(states), states)), np.log(
        rng.dirichlet(np.ones(symbols), states)), rng.integers(symbols, size=steps)


KERNELS = (
    Kernel(soft_dtw, lambda rng, n: (rng.normal(size=n), rng.normal(size=n + 1), 0.5), (5,), (300,), (0, 1, 2)),
    Kernel(edit_distance, lambda rng, n: (rng.normal(size=n), rng.normal(size=n + 1), 0.6), (5,), (1500,), (0, 1, 2)),
    Kernel(needleman_wunsch, lambda rng, n: (rng.normal(size=(n, n)), 0.4), (5,), (1000,), (0, 1)),
    Kernel(pathfinder, lambda rng, n: (rng.uniform(size=(n, n)),), (5,), (1000,)),
    Kernel(knapsack, lambda rng, n, c: (rng.uniform(1.0, 5.0, n), rng.integers(1, max(c // 2, 2), n), c, 0.7), (4, 8),
           (100, 1000), (0, 3)),
    Kernel(hmm_forward, lambda rng, k, steps: _hmm(rng, k, 5, steps), (3, 4), (16, 1000), (0, 1, 2)),
    Kernel(ctc, lambda rng, steps, n: (rng.normal(size=(steps, 8)), rng.integers(1, 8, n)), (8, 3), (1000, 100)),
    Kernel(viterbi, lambda rng, k, steps: _hmm(rng, k, 5, steps)[1:], (3, 4), (16, 2000), (0, 1)),
    Kernel(floyd_warshall, lambda rng, n: (rng.uniform(0.1, 1.0, (n, n)),), (5,), (150,)),
    Kernel(matrix_chain, lambda rng, n: (1.5, rng.uniform(1.0, 9.0, n + 1)), (5,), (150,), (0, 1)),
)
