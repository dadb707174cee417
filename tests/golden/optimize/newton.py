# before
def f(a):
    x_1 = a
    x_tape = []
    while x_1 * x_1 - a > 1e-12 * a:
        x_tape.append(x_1)
        t = a / x_1
        u = x_1 + t
        x_2 = 0.5 * u
        x_1 = x_2
    # pullback
    x_bar = 1.0                      # line 10: x_bar = 1.0
    a_bar = 0.0                      # line 11: a_bar = 0.0
    n = len(x_tape)                  # line 12: n = python.len(x_tape)
    for k in range(n):               # line 13: for k in range(n)
        x_3 = x_tape.pop()           # line 14: x_3 = tape.pop(x_tape)
        half = 0.5 * x_bar           # line 15: half = 0.5 * x_bar
        q = half / x_3               # line 16: q = half / x_3
        a_bar_1 = a_bar + q          # line 17: a_bar_1 = a_bar + q
        m = half * a                 # line 18: m = half * a
        xx = x_3 * x_3               # line 19: xx = x_3 * x_3
        d = m / xx                   # line 20: d = m / xx
        x_bar_1 = half - d           # line 21: x_bar_1 = half - d
        a_bar = a_bar_1              # line 22: a_bar = a_bar_1
        x_bar = x_bar_1              # line 23: x_bar = x_bar_1
    a_bar_2 = a_bar + x_bar          # line 24: a_bar_2 = a_bar + x_bar
    return a_bar_2


# after
def f(a):
    x = a
    x_tape = []
    while x * x - a > 1e-12 * a:
        x_tape.append(x)
        x = 0.5 * (x + a / x)
    # pullback
    x_bar = 1.0                      # line 10: x_bar = 1.0
    a_bar = 0.0                      # line 11: a_bar = 0.0
    for _ in range(len(x_tape)):     # line 13: for k in range(n)
        x = x_tape.pop()             # line 14: x_3 = tape.pop(x_tape)
        half = 0.5 * x_bar           # line 15: half = 0.5 * x_bar
        a_bar += half / x            # line 17: a_bar_1 = a_bar + q
        x_bar = half - half * a / (x * x)  # line 21: x_bar_1 = half - d
    a_bar += x_bar                   # line 24: a_bar_2 = a_bar + x_bar
    return a_bar
