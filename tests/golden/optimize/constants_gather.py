# before
import numpy as np


def f(err):
    s = err ** 2
    n = err.size
    # pullback
    r = 1.0 / n                      # line 4: r = 1.0 / n
    s_bar = np.full_like(s, r)       # line 5: s_bar = np.full_like(s, r)
    p = 2 * err                      # line 6: p = 2 * err
    err_bar = s_bar * p              # line 7: err_bar = s_bar * p
    return err_bar


# after
def f(err):
    # pullback
    err_bar = 2.0 / err.size * err   # line 7: err_bar = s_bar * p
    return err_bar
