# before
def f(s, x, y, a):
    s = s + x * y
    s = x * s
    s = s - 1.0
    a = a + a
    return s, a


# after
def f(s, x, y, a):
    s += x * y
    s *= x
    s -= 1.0
    a = a + a
    return s, a
