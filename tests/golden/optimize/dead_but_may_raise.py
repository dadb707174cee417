# before
def f(x, n, m):
    y = x[5]
    z = n // m
    w = x + x
    u = w * 2.0
    return w


# after
def f(x, n, m):
    y = x[5]
    z = n // m
    w = x + x
    return w
