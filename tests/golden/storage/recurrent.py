# value and grad of recurrent (test_merging.py:37), for x: float64[n], w: float64[n, n]
import numpy as np


def recurrent_value_and_grad(x, w):
    # pullback of line 39: for b in range(w.shape[1])
    w_bar = np.zeros_like(w)
    x_bar = np.zeros_like(x)
    size_x = x.size
    h_at = np.empty((size_x, 3))
    loss = 0.0
    for b in range(w.shape[1]):
        h = np.zeros(3)
        for t in range(size_x):
            h_at[t] = h
            h = np.tanh(h * x[t] + w[t, b])
        loss += np.sum(h * h)
        h_bar = 2 * h                # line 43: loss += np.sum(h * h)
        for t in range(size_x - 1, -1, -1):  # line 41: for t in range(x.size)
            h_1 = h_at[t]
            # pullback of line 42: h = np.tanh(h * x[t] + w[t, b])
            h_in_bar = h_bar * (1 - h * h)
            w_bar[t, b] += np.sum(h_in_bar)
            x_bar[t] += np.sum(h_in_bar * h_1)
            h_bar = h_in_bar * x[t]
            h = h_1
    return loss, (x_bar, w_bar)
