# grad of attention (targets.py:143), for q: float64[n, m], k: float64[k, m], v: float64[k, p]
import numpy as np


def attention_grad(q, k, v):
    sqrt_q = np.sqrt(q.shape[1])
    s = q @ k.T / sqrt_q
    max_s = np.max(s, axis=-1, keepdims=True)
    a = np.exp(s - max_s)
    sum_a = np.sum(a, axis=-1, keepdims=True)
    a_1 = a / sum_a
    # pullback of line 147: return np.sum((a @ v) ** 2)
    av_bar = 2 * (a_1 @ v)
    v_bar = a_1.T @ av_bar
    # pullback of line 146: a = a / np.sum(a, axis=-1, keepdims=True)
    a_bar = av_bar @ v.T / sum_a
    a_bar -= np.sum(a_bar * a_1, axis=1, keepdims=True)
    # pullback of line 145: a = np.exp(s - np.max(s, axis=-1, keepdims=True))
    s_bar = a_bar * a
    mask = (s == max_s).astype(np.float64)
    ratio = np.sum(s_bar, axis=1, keepdims=True) / np.sum(mask, axis=-1, keepdims=True)
    # pullback of line 144: s = q @ k.T / np.sqrt(q.shape[1])
    ratio_1 = (s_bar - ratio * mask) / sqrt_q
    q_bar = ratio_1 @ k
    k_bar = ratio_1.T @ q
    return q_bar, k_bar, v_bar
