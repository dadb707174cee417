# value and grad of rows_of_turns (test_merging.py:168), for x: float64[n], w: float64[n, n]
import numpy as np


def rows_of_turns_value_and_grad(x, w):
    size_x = x.size
    y = np.zeros(size_x)
    for i in range(size_x):
        h = np.zeros(3)
        t = 0
        while t < i + 1:
            h = np.tanh(h * x[i] + w[t, i - 1])
            t += 1
        y[i] = np.sum(h)
    sum_y = np.sum(y * y)
    # pullback
    y_bar = 2 * y                    # line 176: return np.sum(y * y)
    # pullback of line 170: for i in range(x.size)
    w_bar = np.zeros_like(w)
    x_bar = np.zeros_like(x)
    h_tape = []
    t_tape = []
    for i in range(size_x - 1, -1, -1):
        h = np.zeros(3)
        t = 0
        turns = 0
        while t < i + 1:
            h_tape.append(h)
            t_tape.append(t)
            h = np.tanh(h * x[i] + w[t, i - 1])
            t += 1
            turns += 1
        # pullback of line 175: y[i] = np.sum(h)
        h_bar = y_bar[i]
        y_bar[i] = 0.0
        # pullback of line 172: while t < i + 1
        h_bar_1 = np.full_like(h, h_bar)
        for _ in range(turns):
            h_1 = h_tape.pop()
            t = t_tape.pop()
            # pullback of line 173: h = np.tanh(h * x[i] + w[t, i - 1])
            h_in_bar = h_bar_1 * (1 - h * h)
            w_bar[t, i - 1] += np.sum(h_in_bar)
            x_bar[i] += np.sum(h_in_bar * h_1)
            h_bar_1 = h_in_bar * x[i]
            h = h_1
    return sum_y, (x_bar, w_bar)
