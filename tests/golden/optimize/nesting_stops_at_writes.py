# before
def f(x, y):
    t = x[0]
    s = x[1]
    x[0] = y
    z = s + 1.0
    w = t * z
    return w


# after
def f(x, y):
    t = x[0]
    s = x[1]
    x[0] = y
    z = s + 1.0
    w = t * z
    return w
