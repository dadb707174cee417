# before
import numpy as np


def f(n, x):
    a = np.zeros(n)
    s = np.sum(a)
    a[0] = x
    t = np.sum(a)
    u = s + t
    return u


# after
import numpy as np


def f(n, x):
    a = np.zeros(n)
    s = np.sum(a)
    a[0] = x
    t = np.sum(a)
    u = s + t
    return u
