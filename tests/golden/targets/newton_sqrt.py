# grad of newton_sqrt (targets.py:78), for a: float


def newton_sqrt_grad(a):
    x_tape = []
    x = a
    turns = 0
    while abs(x * x - a) > 1e-12 * a:
        x_tape.append(x)
        x = 0.5 * (x + a / x)
        turns += 1
    # pullback of line 80: while abs(x * x - a) > 1e-12 * a
    x_bar, a_bar = 1.0, 0.0
    for _ in range(turns):
        x = x_tape.pop()
        # pullback of line 81: x = 0.5 * (x + a / x)
        x_bar *= 0.5
        ratio = x_bar / x
        x_bar -= ratio * a / x
        a_bar += ratio
    a_bar += x_bar
    return a_bar
