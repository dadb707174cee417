# before
def f(x, c):
    y = x
    if c:
        z = y + 1
        y = z
    else:
        z = y
    w = y + z
    return w


# after
def f(x, c):
    y = x
    if c:
        z = x + 1
        y = z
    else:
        z = x
    w = y + z
    return w
