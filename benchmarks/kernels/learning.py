"""Networks and likelihoods, with parameters in dictionaries and lists."""
from itertools import pairwise

import numpy as np

from benchmarks.kernels.record import Kernel


def mlp(params, x, y):
    """Layers in a list of dictionaries, cross-entropy."""
    h = x
    for layer in params[:-1]:
        h = np.maximum(h @ layer['w'] + layer['b'], 0.0)
    logits = h @ params[-1]['w'] + params[-1]['b']
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logp = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(np.sum(y * logp, axis=1))


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def gru(params, inputs):
    """A gated recurrent unit over a sequence."""
    h = np.zeros(params['uz'].shape[0])
    loss = 0.0
    for t in range(inputs.shape[0] - 1):
        z = sigmoid(inputs[t] @ params['wz'] + h @ params['uz'])
        r = sigmoid(inputs[t] @ params['wr'] + h @ params['ur'])
        candidate = np.tanh(inputs[t] @ params['wh'] + (r * h) @ params['uh'])
        h = (1.0 - z) * h + z * candidate
        loss += np.mean((h @ params['out'] - inputs[t + 1]) ** 2)
    return loss


def lstm(params, inputs):
    """Four gates by one product, taken apart by slices; the states are written into arrays."""
    steps, size = inputs.shape[0], params['u'].shape[0]
    hidden = np.zeros((steps + 1, size))
    cell = np.zeros((steps + 1, size))
    for t in range(steps):
        gates = inputs[t] @ params['w'] + hidden[t] @ params['u'] + params['b']
        forget, write = sigmoid(gates[:size]), sigmoid(gates[size:2 * size])
        output, new = sigmoid(gates[2 * size:3 * size]), np.tanh(gates[3 * size:])
        cell[t + 1] = forget * cell[t] + write * new
        hidden[t + 1] = output * np.tanh(cell[t + 1])
    return np.sum(hidden[1:] ** 2)


def logsumexp_rows(scores, labels):
    """Softmax regression row by row, with an inner loop for the maximum."""
    loss = 0.0
    for i in range(scores.shape[0]):
        top = scores[i, 0]
        for j in range(1, scores.shape[1]):
            top = max(top, scores[i, j])
        total = 0.0
        for j in range(scores.shape[1]):
            total += np.exp(scores[i, j] - top)
        loss += top + np.log(total) - scores[i, labels[i]]
    return loss / scores.shape[0]


def softmax(x):
    """NPBench's softmax over the last axis."""
    top = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - top)
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(q, k, v):
    """Causal attention, one query at a time."""
    out = np.empty_like(q)
    for i in range(q.shape[0]):
        weights = softmax(k[:i + 1] @ q[i] / np.sqrt(q.shape[1]))
        out[i] = weights @ v[:i + 1]
    return np.sum(out ** 2)


def conv2d(image, weights, bias):
    """A convolution: the window under each pixel times each filter, then a rectifier."""
    size, filters = weights.shape[0], weights.shape[3]
    out = np.empty((image.shape[0] - size + 1, image.shape[1] - size + 1, filters))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for f in range(filters):
                out[i, j, f] = np.sum(image[i:i + size, j:j + size, :] * weights[:, :, :, f]) + bias[f]
    return np.sum(np.maximum(out, 0.0))


def max_pool(image):
    """Pooling by loops over windows of two, as in LeNet."""
    out = np.zeros((image.shape[0] // 2, image.shape[1] // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.max(image[2 * i:2 * i + 2, 2 * j:2 * j + 2])
    return np.sum(out ** 2)


def adam_training(w, x, y, rate, steps):
    """Training inside the function: the derivative of the final loss with respect to the first weights and the rate."""
    m = np.zeros_like(w)
    v = np.zeros_like(w)
    for t in range(1, steps + 1):
        residual = x @ w - y
        g = 2.0 * x.T @ residual / y.size
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g ** 2
        w -= rate * (m / (1.0 - 0.9 ** t)) / (np.sqrt(v / (1.0 - 0.99 ** t)) + 1e-8)
    return np.mean((x @ w - y) ** 2)


def _layers(rng, *sizes):
    return [{'w': rng.normal(size=(n, m)) / np.sqrt(n), 'b': rng.normal(size=m)} for n, m in pairwise(sizes)]


def _gru(rng, n, h, steps):
    w = {name: 0.5 * rng.normal(size=(n, h)) for name in ('wz', 'wr', 'wh')}
    u = {name: rng.normal(size=(h, h)) / np.sqrt(h) for name in ('uz', 'ur', 'uh')}
    return {**w, **u, 'out': rng.normal(size=(h, n))}, rng.normal(size=(steps, n))


KERNELS = (
    Kernel(mlp, lambda rng, rows, n, h: (
        _layers(rng, n, h, h, 4), rng.normal(size=(rows, n)), np.eye(4)[rng.integers(4, size=rows)]), (5, 3, 4), (1000, 64, 64)),
    Kernel(gru, _gru, (2, 3, 4), (16, 32, 200)),
    Kernel(lstm, lambda rng, n, h, steps: ({'w': rng.normal(size=(n, 4 * h)), 'u': rng.normal(size=(h, 4 * h)) / h,
                                            'b': rng.normal(size=4 * h)}, rng.normal(size=(steps, n))), (2, 3, 4), (16, 32, 200)),
    Kernel(logsumexp_rows, lambda rng, n, k: (rng.normal(size=(n, k)), rng.integers(k, size=n)), (4, 3), (20_000, 20)),
    Kernel(attention, lambda rng, n, d: tuple(rng.normal(size=(n, d)) for _ in range(3)), (4, 3), (300, 32), (0, 1, 2)),
    Kernel(conv2d, lambda rng, n, k: (rng.normal(size=(n, n, 3)), rng.normal(size=(k, k, 3, 4)), rng.normal(size=4)), (5, 2),
           (48, 5), (0, 1, 2)),
    Kernel(max_pool, lambda rng, n: (rng.normal(size=(n, n)),), (6,), (500,)),
    Kernel(adam_training, lambda rng, rows, n, steps: (
        rng.normal(size=n), rng.normal(size=(rows, n)), rng.normal(size=rows), 0.05, steps), (6, 3, 3), (200, 20, 200), (0, 3)),
)
