# before
def f(x, y, z):
    # pullback
    a = -x                           # line 2: a = -x
    b = a * y                        # line 3: b = a * y
    c = -b                           # line 4: c = -b
    d = z + a                        # line 5: d = z + a
    e = -d                           # line 6: e = -d
    return c, e


# after
def f(x, y, z):
    # pullback
    a = -x                           # line 2: a = -x
    b = a * y                        # line 3: b = a * y
    c = x * y                        # line 4: c = -b
    d = z + a                        # line 5: d = z + a
    e = x - z                        # line 6: e = -d
    return c, e
