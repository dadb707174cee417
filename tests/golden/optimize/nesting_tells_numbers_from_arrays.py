# before
import numpy as np


def f(k, y, x):
    t = np.searchsorted(k, y)
    u = t % 2
    x[u] += 1.0
    v = np.searchsorted(k, x)
    np.add.at(x, v, 2.0)
    return x


# after
import numpy as np


def f(k, y, x):
    x[np.searchsorted(k, y) % 2] += 1.0
    np.add.at(x, np.searchsorted(k, x), 2.0)
    return x
