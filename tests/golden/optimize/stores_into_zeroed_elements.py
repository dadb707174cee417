# before
import numpy as np


def f(u, n):
    u_bar = u.copy()
    for i in range(1, n):
        c = u_bar[i]
        u_bar[i] = 0.0
        t = 0.25 * c
        j = i - 1
        u_bar[j] += t
        s = 0.5 * c
        u_bar[i] += s
    return u_bar


# after
import numpy as np


def f(u, n):
    u_bar = u.copy()
    for i in range(1, n):
        c = u_bar[i]
        t = 0.25 * c
        j = i - 1
        s = 0.5 * c
        u_bar[i] = s
        u_bar[j] += t
    return u_bar
