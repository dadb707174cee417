# before
def f(x):
    a = x * 0.1
    b = a * 3.0
    c = b * 1.0
    d = c + 0.0
    return d


# after
def f(x):
    a = x * 0.1
    b = a * 3.0
    part = x * 0.1
    c = part * 3.0
    d = c + 0.0
    return d
