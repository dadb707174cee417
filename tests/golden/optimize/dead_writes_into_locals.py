# before
import numpy as np


def f(n, x):
    # pullback
    a = np.zeros(n)                  # line 2: a = np.zeros(n)
    v = a[1:]                        # line 3: v = a[1:]
    v[0] = x                         # line 4: v[0] = x
    b = np.zeros(n)                  # line 5: b = np.zeros(n)
    b[0] = x                         # line 6: b[0] = x
    return b


# after
import numpy as np


def f(n, x):
    # pullback
    b = np.zeros(n)                  # line 5: b = np.zeros(n)
    b[0] = x                         # line 6: b[0] = x
    return b
