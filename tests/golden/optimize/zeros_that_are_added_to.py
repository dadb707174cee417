# before
import numpy as np


def f(x):
    c = np.sin(x)
    x_bar = np.zeros_like(x)
    x_bar += c
    y_bar = np.zeros_like(x)
    y_bar += x
    return x_bar, y_bar


# after
import numpy as np


def f(x):
    c = np.sin(x)
    x_bar = c
    y_bar = x.copy()
    return x_bar, y_bar
