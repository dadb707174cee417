# grad of mlp_loss (targets.py:101), for params: ((float64[n, m], float64[m]), (float64[m, k], float64[k])), x: float64[p, n], y: float64[p, k]
import numpy as np


def mlp_loss_grad(params, x, y):
    (w1, b1), (w2, b2) = params
    h = np.tanh(x @ w1 + b1)
    residual = h @ w2 + b2 - y
    # pullback of line 104: return np.mean((h @ w2 + b2 - y) ** 2)
    residual_bar = 2.0 / residual.size * residual
    b2_bar = np.sum(residual_bar, axis=0)
    w2_bar = h.T @ residual_bar
    # pullback of line 103: h = np.tanh(x @ w1 + b1)
    h_in_bar = residual_bar @ w2.T * (1 - h * h)
    b1_bar = np.sum(h_in_bar, axis=0)
    w1_bar = x.T @ h_in_bar
    return (w1_bar, b1_bar), (w2_bar, b2_bar)
