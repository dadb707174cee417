# before
import numpy as np


def f(x):
    t1 = -x
    t2 = np.exp(t1)
    t3 = 1.0 + t2
    t4 = 1.0 / t3
    t5 = np.sum(t4)
    # pullback
    t4_bar = np.full_like(t4, 1.0)   # line 7: t4_bar = np.full_like(t4, 1.0)
    p1 = t4 * t4                     # line 8: p1 = t4 * t4
    p2 = -p1                         # line 9: p2 = -p1
    t3_bar = t4_bar * p2             # line 10: t3_bar = t4_bar * p2
    p3 = np.exp(t1)                  # line 11: p3 = np.exp(t1)
    t1_bar = t3_bar * p3             # line 12: t1_bar = t3_bar * p3
    x_bar = -t1_bar                  # line 13: x_bar = -t1_bar
    return x_bar


# after
import numpy as np


def f(x):
    exp_x = np.exp(-x)
    inverse = 1.0 / (1.0 + exp_x)
    # pullback
    x_bar = inverse * inverse * exp_x  # line 13: x_bar = -t1_bar
    return x_bar
