# before
import numpy as np


def f(x, y, a, i):
    t1 = np.exp(x)
    t2 = t1 + 1.0
    h = np.sqrt(t2)
    t3 = h - y
    t4 = t3 * t3
    t5 = a[i]
    t6 = t4 * t5
    t7 = t2 * t1
    t8 = t5 / t2
    return t6, t7, t8


# after
import numpy as np


def f(x, y, a, i):
    exp_x = np.exp(x)
    h_in = exp_x + 1.0
    h = np.sqrt(h_in)
    residual = h - y
    a_i = a[i]
    return residual * residual * a_i, h_in * exp_x, a_i / h_in
