# before
import numpy as np


def f(u, n, k):
    u_bar = u.copy()
    # pullback
    for t in range(n):               # line 3: for t in range(n)
        p = u_bar[1:-1]              # line 4: p = u_bar[1:-1]
        c = p.copy()                 # line 5: c = np.copy(p)
        u_bar[1:-1] = 0.0            # line 6: u_bar[1:-1] = 0.0
        q = c * k                    # line 7: q = c * k
        u_bar[2:] += q               # line 8: u_bar[2:] += q
        m = -2.0 * q                 # line 9: m = -2.0 * q
        u_bar[1:-1] += m             # line 10: u_bar[1:-1] += m
        u_bar[1:-1] += c             # line 11: u_bar[1:-1] += c
    return u_bar


# after
import numpy as np


def f(u, n, k):
    u_bar = u.copy()
    # pullback
    for _ in range(n):               # line 3: for t in range(n)
        product = u_bar[1:-1] * k    # line 7: q = c * k
        u_bar[2:] += product         # line 8: u_bar[2:] += q
        u_bar[1:-1] -= 2.0 * product  # line 10: u_bar[1:-1] += m
    return u_bar
