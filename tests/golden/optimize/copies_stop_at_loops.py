# before
def f(x, n, a):
    y = x
    for i in range(n):
        z = y * a
        y = z
    return y


# after
def f(x, n, a):
    y = x
    for i in range(n):
        z = y * a
        y = z
    return y
