# before
import numpy as np


def f(x):
    m = -x
    e = np.exp(m)
    y = 1.0 + e
    # pullback
    p = np.exp(m)                    # line 5: p = np.exp(m)
    x_bar = p * y                    # line 6: x_bar = p * y
    return x_bar


# after
import numpy as np


def f(x):
    m = -x
    e = np.exp(m)
    y = 1.0 + e
    # pullback
    p = e                            # line 5: p = np.exp(m)
    x_bar = p * y                    # line 6: x_bar = p * y
    return x_bar
