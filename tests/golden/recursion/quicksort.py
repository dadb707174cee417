# grad of sorted_in_place (test_25_recursion.py:433), for x: float64[n], w: float64[n]
import numpy as np


def quicksort_fwd(a, lo, hi, condition_tape, i_tape, i_tape_1):
    if lo < hi:
        pivot = a[hi]
        i = lo
        for j in range(lo, hi):
            a_j = a[j]
            condition = a_j < pivot
            if condition:
                a_i = a[i]
                a[i] = a_j
                a[j] = a_i
                i_1 = i + 1
            else:
                i_1 = i
            i_tape_1.append(i)
            condition_tape.append(condition)
            i = i_1
        a_i = a[i]
        a[i] = a[hi]
        a[hi] = a_i
        quicksort_fwd(a, lo, i - 1, condition_tape, i_tape, i_tape_1)
        quicksort_fwd(a, i + 1, hi, condition_tape, i_tape, i_tape_1)
        i_tape.append(i)


def quicksort_bwd(lo, hi, a_bar, condition_tape, i_tape, i_tape_1):
    # pullback
    if lo < hi:                      # line 427: if lo < hi
        i = i_tape.pop()
        quicksort_bwd(i + 1, hi, a_bar, condition_tape, i_tape, i_tape_1)  # line 430: quicksort(a, m + 1, hi)
        quicksort_bwd(lo, i - 1, a_bar, condition_tape, i_tape, i_tape_1)  # line 429: quicksort(a, lo, m - 1)
        # pullback of line 422: a[i], a[hi] = a[hi], a[i]
        a_bar_item = a_bar[hi]
        a_bar[hi] = 0.0
        a_bar_i = a_bar[i]
        a_bar[i] = 0.0
        a_bar[i] += a_bar_item
        a_bar[hi] += a_bar_i
        for j in range(hi - 1, lo - 1, -1):  # line 418: for j in range(lo, hi)
            i = i_tape_1.pop()
            value = condition_tape.pop()
            # pullback of line 419: if a[j] < pivot
            if value:
                # pullback of line 420: a[i], a[j] = a[j], a[i]
                a_bar_j = a_bar[j]
                a_bar[j] = 0.0
                a_bar_i = a_bar[i]
                a_bar[i] = 0.0
                a_bar[i] += a_bar_j
            else:
                a_bar_i = 0.0
            a_bar[j] += a_bar_i


def sorted_in_place_grad(x, w):
    condition_tape = []
    i_tape = []
    i_tape_1 = []
    a = x.copy()
    diff_a = a.shape[0] - 1
    quicksort_fwd(a, 0, diff_a, condition_tape, i_tape, i_tape_1)
    # pullback
    w_bar = a                        # line 436: return np.sum(a * w)
    # pullback of line 435: quicksort(a, 0, len(a) - 1)
    a_bar = w.copy()
    quicksort_bwd(0, diff_a, a_bar, condition_tape, i_tape, i_tape_1)
    return a_bar, w_bar
