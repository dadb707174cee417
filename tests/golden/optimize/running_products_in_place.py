# before
import numpy as np


def f(x, n):
    x_bar = np.zeros_like(x)
    y_bar = np.ones_like(x)
    # pullback
    for i in range(n):               # line 4: for i in range(n)
        c = y_bar.copy()             # line 5: c = np.copy(y_bar)
        y_bar[:] = 0.0               # line 6: y_bar[:] = 0.0
        p = c * x                    # line 7: p = c * x
        y_bar += p                   # line 8: y_bar[...] += p
        q = c * x                    # line 9: q = c * x
        x_bar += q                   # line 10: x_bar[...] += q
    v = y_bar[0]                     # line 11: v = y_bar[0]
    y_bar[0] = 0.0                   # line 12: y_bar[0] = 0.0
    return x_bar, v


# after
import numpy as np


def f(x, n):
    x_bar = np.zeros_like(x)
    y_bar = np.ones_like(x)
    # pullback
    for _ in range(n):               # line 4: for i in range(n)
        product = y_bar * x          # line 7: p = c * x
        y_bar[:] = product           # line 8: y_bar[...] += p
        x_bar += product             # line 10: x_bar[...] += q
    v = y_bar[0]                     # line 11: v = y_bar[0]
    return x_bar, v
