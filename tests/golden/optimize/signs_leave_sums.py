# before
import numpy as np


def f(x, y):
    # pullback
    t = -x                           # line 2: t = -x
    s = t * y                        # line 3: s = t * y
    m_bar = np.sum(s)                # line 4: m_bar = np.sum(s)
    u = -2.0 * m_bar                 # line 5: u = -2.0 * m_bar
    w = u + m_bar                    # line 6: w = u + m_bar
    return w


# after
import numpy as np


def f(x, y):
    # pullback
    sum_ = np.sum(x * y)             # line 4: m_bar = np.sum(s)
    return sum_
