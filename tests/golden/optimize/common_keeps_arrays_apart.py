# before
def f(x):
    a = x * 2.0
    b = x * 2.0
    return a, b


# after
def f(x):
    a = x * 2.0
    b = x * 2.0
    return a, b
