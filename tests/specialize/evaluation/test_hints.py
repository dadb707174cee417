"""After what the variables of generated code are called."""
import numpy as np

import transpiler as tp


def smoothed(x: 'float64[n]', w: int):
    total = 0.0
    for i in range(x.shape[0]):
        lo, hi = max(0, i - w), min(x.shape[0], i + w + 1)
        total += np.mean(x[lo:hi]) ** 2
    return total


def test_a_value_is_not_called_after_a_name_that_has_it_on_one_path_only():
    text = tp.grad(smoothed).source
    assert 'n = x.shape[0]' in text and 'else n\n' in text
    assert 'hi_1' not in text
