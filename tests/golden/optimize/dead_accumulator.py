# before
def f(n, x):
    s = 0.0
    t = []
    for i in range(n):
        r = s * x
        t.append(r)
        s = r
    y = x * x
    return y


# after
def f(n, x):
    y = x * x
    return y
