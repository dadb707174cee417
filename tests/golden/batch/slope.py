# vmap of grad of loss (test_batch.py:54), for w: float64[n, m], x: float64[k, m]
import numpy as np


def loss_grad_vmap(w, x):
    tanh = np.tanh(x @ w.T)
    # pullback
    w_bar = (2 * tanh * (1 - tanh * tanh))[:, :, None] * x[:, None, :]  # line 51: return np.tanh(w @ x)
    return w_bar
