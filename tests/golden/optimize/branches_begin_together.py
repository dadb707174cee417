# before
def f(x, n):
    c = x > 0.0
    if c:
        s = 0.0
        for i in range(n):
            t = s + x
            s = t
    else:
        s = 0.0
        for j in range(n):
            u = s - x
            s = u
    return s


# after
def f(x, n):
    s = 0.0
    if x > 0.0:
        for i in range(n):
            s += x
    else:
        for j in range(n):
            s -= x
    return s
