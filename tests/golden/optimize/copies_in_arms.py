# before
def f(c, d, x):
    if c:
        if d:
            b = x * x
        else:
            e = 2 * x
        z = 3 * x
    else:
        z = x
    y = 2 * x
    a = b
    w = y + z
    return w


# after
def f(c, d, x):
    if c:
        if d:
            b = x * x
            a = b
        else:
            e = 2 * x
        z = 3 * x
    else:
        z = x
    y = 2 * x
    w = y + z
    return w
