# before
import numpy as np


def f(x, w, b):
    t = x @ w
    z = t + b
    h = np.tanh(z)
    u = np.sum(h)
    return u


# after
import numpy as np


def f(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum(h)
