# grad of by_index_halves (test_25_recursion.py:19), for x: float64[n]
import numpy as np


def tree_sum_fwd(x, lo, hi, part_tape):
    if hi - lo == 1:
        result = x[lo] * x[lo]
    else:
        m = (lo + hi) // 2
        part = tree_sum_fwd(x, lo, m, part_tape)
        part_1 = tree_sum_fwd(x, m, hi, part_tape)
        result = part + np.sin(part_1)
        part_tape.append(part_1)
    return result


def tree_sum_bwd(x, lo, hi, result_bar, x_bar, part_tape):
    # pullback
    if hi - lo == 1:                 # line 13: if hi - lo == 1
        x_bar[lo] += 2 * result_bar * x[lo]  # line 14: return x[lo] * x[lo]
    else:
        cos_part_tape = np.cos(part_tape.pop())  # line 16: return tree_sum(x, lo, m) + np.sin(tree_sum(x, ...
        m = (lo + hi) // 2
        tree_sum_bwd(x, m, hi, result_bar * cos_part_tape, x_bar, part_tape)
        tree_sum_bwd(x, lo, m, result_bar, x_bar, part_tape)


def by_index_halves_grad(x):
    part_tape = []
    part = tree_sum_fwd(x, 0, x.size, part_tape)
    # pullback of line 20: return 2.0 * tree_sum(x, 0, x.size)
    x_bar = np.zeros_like(x)
    tree_sum_bwd(x, 0, x.size, 2.0, x_bar, part_tape)
    return x_bar
