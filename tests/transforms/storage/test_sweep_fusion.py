"""Loops that are run together with their pullbacks: what it takes to find them."""
import sys
from types import FrameType
from typing import Any

import numpy as np

import transpiler as tp
from tests.support import numeric_grad, same
from transpiler.transforms.storage import sweep_fusion

LOOP = '''
    u{k} = np.zeros(n)
    for i in range(1, n):
        u{k}[i] = np.sin({p}[i]) * {p}[i - 1] + y[i]
    s = s + np.sum(u{k})'''


def loops(count: int) -> Any:
    """A function with so many loops, one after the other."""
    names = ['x', *(f'u{k}' for k in range(count))]
    body = ''.join(LOOP.format(k=k, p=names[k]) for k in range(count))
    return tp.from_source(f'import numpy as np\ndef f(x, y):\n    n, s = len(x), 0.0{body}\n    return s\n')


def asked(count: int) -> int:
    """How often functions of the search are called for a function with so many loops."""
    found = 0

    def calls(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal found
        found += event == 'call' and frame.f_code.co_filename == sweep_fusion.__file__

    derivative = tp.grad(loops(count))
    sys.setprofile(calls)
    try:
        derivative.lower(np.ones(3), np.ones(3))
    finally:
        sys.setprofile(None)
    return found


def test_the_search_grows_with_the_program():
    """Twice as many loops are little more than twice the work: every statement was looked into for every name of every loop."""
    assert asked(10) < 2.6 * asked(5)


def test_gradients_of_loops_after_one_another():
    x, y = np.linspace(0.1, 0.9, 5), np.linspace(1.0, 2.0, 5)
    same(tp.grad(loops(3))(x, y), numeric_grad(loops(3), (x, y)))
