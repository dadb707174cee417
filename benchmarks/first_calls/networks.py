"""Networks, and steps of their training."""
import itertools

import numpy as np

from benchmarks.first_calls.record import Program


def relu(x):
    return np.maximum(x, 0.0)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logs = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(logs[np.arange(labels.size), labels])


def conv2d(x, weights, bias):
    """A convolution by a loop over the places of its result."""
    size = weights.shape[0]
    h, w = x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.empty((x.shape[0], h, w, weights.shape[3]))
    for i in range(h):
        for j in range(w):
            window = x[:, i:i + size, j:j + size, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * weights[np.newaxis], axis=(1, 2, 3))
    return out + bias


def pooled(x):
    """The largest of two by two."""
    out = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]))
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            out[:, i, j, :] = np.max(x[:, 2 * i:2 * i + 2, 2 * j:2 * j + 2, :], axis=(1, 2))
    return out


def lenet(params, images, labels):
    """LeNet's loss."""
    x = relu(conv2d(images, params['conv1'], params['bias1']))
    x = pooled(x)
    x = relu(conv2d(x, params['conv2'], params['bias2']))
    x = pooled(x)
    x = x.reshape(x.shape[0], -1)
    x = relu(x @ params['fc1'] + params['fc1_bias'])
    x = relu(x @ params['fc2'] + params['fc2_bias'])
    return cross_entropy(x @ params['fc3'] + params['fc3_bias'], labels)


def by_slices(x, kernel, bias):
    """A convolution of three by three as the sum of nine products of slices."""
    h, w = x.shape[1] - 2, x.shape[2] - 2
    out = bias
    for i in range(3):
        for j in range(3):
            out = out + x[:, i:i + h, j:j + w, :] @ kernel[i, j]
    return out


def convolutional(params, images, labels):
    """Two convolutions by nine slices, a mean over all places, and a classifier."""
    (k1, b1), (k2, b2), (w, b) = params
    x = relu(by_slices(images, k1, b1))
    x = 0.25 * (x[:, ::2, ::2] + x[:, 1::2, ::2] + x[:, ::2, 1::2] + x[:, 1::2, 1::2])
    x = np.tanh(by_slices(x, k2, b2))
    return cross_entropy(np.mean(x, axis=(1, 2)) @ w + b, labels) + 1e-4 * (np.sum(k1 ** 2) + np.sum(k2 ** 2))


def layer_norm(x, gain, bias):
    mean, var = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(var + 1e-5) + bias


def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (x + 0.044715 * x ** 3)))


def attention(x, params, heads):
    n, width = x.shape
    size = width // heads
    mixed = np.zeros_like(x)
    mask = np.triu(np.full((n, n), -1e9), 1)
    for h in range(heads):
        part = slice(h * size, (h + 1) * size)
        q, k, v = x @ params['wq'][:, part], x @ params['wk'][:, part], x @ params['wv'][:, part]
        mixed[:, part] = softmax(q @ k.T / np.sqrt(size) + mask) @ v
    return mixed @ params['wo']


def transformer(embeddings, blocks, final, tokens, heads):
    """The loss of a language model: causal attention and a network of two layers in each block, weights of the output tied."""
    x = embeddings['tokens'][tokens[:-1]] + embeddings['places'][:tokens.size - 1]
    for block in blocks:
        x = x + attention(layer_norm(x, block['gain1'], block['bias1']), block, heads)
        hidden = gelu(layer_norm(x, block['gain2'], block['bias2']) @ block['w1'] + block['b1'])
        x = x + hidden @ block['w2'] + block['b2']
    logits = layer_norm(x, final['gain'], final['bias']) @ embeddings['tokens'].T
    return cross_entropy(logits, tokens[1:])


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def encoder_decoder(encoder, decoder, attend, source, target):
    """An LSTM reads, a GRU with attention on what was read writes."""
    h, c = np.zeros(encoder['U'].shape[0]), np.zeros(encoder['U'].shape[0])
    memory = np.zeros((source.shape[0], h.size))
    for t in range(source.shape[0]):
        gates = encoder['W'] @ source[t] + encoder['U'].T @ h + encoder['b']
        i, f, o, g = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        memory[t] = h
    s, loss = h, 0.0
    before = np.zeros(target.shape[1])
    for t in range(target.shape[0]):
        weights = softmax(np.tanh(memory @ attend['W'] + s @ attend['U']) @ attend['v'])
        x = np.concatenate((before, weights @ memory))
        z = sigmoid(decoder['Wz'] @ x + decoder['Uz'] @ s)
        r = sigmoid(decoder['Wr'] @ x + decoder['Ur'] @ s)
        s = (1.0 - z) * s + z * np.tanh(decoder['Wh'] @ x + decoder['Uh'] @ (r * s))
        written = decoder['out'] @ s
        loss += np.mean((written - target[t]) ** 2)
        before = target[t]
    return loss / target.shape[0]


def batch_norm(x, gain, bias, running, momentum):
    mean, var = x.mean(axis=0), x.var(axis=0)
    running['mean'] = momentum * running['mean'] + (1.0 - momentum) * mean
    running['var'] = momentum * running['var'] + (1.0 - momentum) * var
    return gain * (x - mean) / np.sqrt(var + 1e-5) + bias


def batch_norm_training(params, running, x, labels, keep):
    """A network with batch normalisation, dropout by given masks and weight decay, in training."""
    for k, layer in enumerate(params[:-1]):
        x = relu(batch_norm(x @ layer['w'], layer['gain'], layer['bias'], running[k], 0.9))
        x = x * keep[k] / 0.8
    decay = sum(np.sum(layer['w'] ** 2) for layer in params)
    drift = sum(np.sum(one['mean'] ** 2) for one in running)
    return cross_entropy(x @ params[-1]['w'], labels) + 1e-4 * decay + 1e-3 * drift


def forward(weights, x):
    for w, b in weights[:-1]:
        x = np.tanh(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def unrolled_adam(weights, log_rate, betas, x, y, steps):
    """The loss after some steps of Adam with gradients by hand: the derivative is that by its rate and its decays."""
    (w1, b1), (w2, b2) = weights
    values = [w1, b1, w2, b2]
    first, second = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]
    rate, (beta1, beta2) = np.exp(log_rate), betas
    for t in range(1, steps + 1):
        w1, b1, w2, b2 = values
        hidden = np.tanh(x @ w1 + b1)
        error = 2.0 * (hidden @ w2 + b2 - y) / y.size
        back = error @ w2.T * (1.0 - hidden ** 2)
        gradients = [x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
        for k, g in enumerate(gradients):
            first[k] = beta1 * first[k] + (1.0 - beta1) * g
            second[k] = beta2 * second[k] + (1.0 - beta2) * g ** 2
            step = rate * (first[k] / (1.0 - beta1 ** t)) / (np.sqrt(second[k] / (1.0 - beta2 ** t)) + 1e-8)
            values[k] = values[k] - step
    w1, b1, w2, b2 = values
    return np.mean((forward([(w1, b1), (w2, b2)], x) - y) ** 2)


def _lenet(rng, n=2):
    shapes = {'conv1': (3, 3, 1, 2), 'bias1': (2,), 'conv2': (3, 3, 2, 3), 'bias2': (3,), 'fc1': (12, 8), 'fc1_bias': (8,),
              'fc2': (8, 6), 'fc2_bias': (6,), 'fc3': (6, 4), 'fc3_bias': (4,)}
    return {k: 0.5 * rng.normal(size=s) for k, s in shapes.items()}, rng.normal(size=(n, 14, 14, 1)), rng.integers(0, 4, n)


def _convolutional(rng, n=3):
    shapes = ((3, 3, 1, 4), (4,)), ((3, 3, 4, 5), (5,)), ((5, 3), (3,))
    params = tuple(tuple(rng.normal(size=s) for s in pair) for pair in shapes)
    return params, rng.normal(size=(n, 10, 10, 1)), rng.integers(0, 3, n)


def _transformer(rng, n=6, width=8, count=2):
    shapes = {'wq': (8, 8), 'wk': (8, 8), 'wv': (8, 8), 'wo': (8, 8), 'w1': (8, 12), 'b1': (12,), 'w2': (12, 8), 'b2': (8,),
              'gain1': (8,), 'bias1': (8,), 'gain2': (8,), 'bias2': (8,)}
    blocks = [{k: 0.4 * rng.normal(size=s) for k, s in shapes.items()} for _ in range(count)]
    embeddings = {'tokens': rng.normal(size=(11, width)), 'places': rng.normal(size=(16, width))}
    return embeddings, blocks, {'gain': rng.normal(size=width), 'bias': rng.normal(size=width)}, rng.integers(0, 11, n + 1), 2


def _sequences(rng, d=3, h=4, steps=4):
    encoder = {'W': rng.normal(size=(4 * h, d)), 'U': rng.normal(size=(h, 4 * h)), 'b': rng.normal(size=4 * h)}
    decoder = {f'W{k}': rng.normal(size=(h, 2 + h)) for k in 'zrh'} | {f'U{k}': rng.normal(size=(h, h)) for k in 'zrh'}
    attend = {'W': rng.normal(size=(h, 5)), 'U': rng.normal(size=(h, 5)), 'v': rng.normal(size=5)}
    return encoder, decoder | {'out': rng.normal(size=(2, h))}, attend, rng.normal(size=(steps, d)), rng.normal(size=(3, 2))


def _batch(rng, n=6, widths=(4, 5, 5, 3)):
    params = [{'w': rng.normal(size=(a, b)), 'gain': rng.normal(size=b), 'bias': rng.normal(size=b)}
              for a, b in itertools.pairwise(widths)]
    running = [{'mean': np.zeros(b), 'var': np.ones(b)} for b in widths[1:-1]]
    keep = [(rng.random((n, b)) < 0.8) * 1.0 for b in widths[1:-1]]
    return params, running, rng.normal(size=(n, widths[0])), rng.integers(0, 3, n), keep


def _adam(rng):
    weights = (rng.normal(size=(3, 5)), rng.normal(size=5)), (rng.normal(size=(5, 2)), rng.normal(size=2))
    return weights, -3.0, (0.9, 0.99), rng.normal(size=(7, 3)), rng.normal(size=(7, 2)), 5


PROGRAMS = (
    Program(lenet, _lenet),
    Program(convolutional, _convolutional),
    Program(transformer, _transformer, (0, 1, 2)),
    Program(encoder_decoder, _sequences, (0, 1, 2)),
    Program(batch_norm_training, _batch),
    Program(unrolled_adam, _adam, (0, 1, 2)),
)
