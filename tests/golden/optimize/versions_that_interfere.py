# before
def f(y):
    y_1 = y * 2.0
    z = y_1 + y
    return z


# after
def f(y):
    y_1 = y * 2.0
    z = y_1 + y
    return z
