# before
def f(x):
    c = x > 0.0
    if c:
        t = x * 2.0
        r = t
    else:
        u = -x
        r = u
    y = r + 1.0
    return y


# after
def f(x):
    y = (x * 2.0 if x > 0.0 else -x) + 1.0
    return y
