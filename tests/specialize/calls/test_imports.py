"""Imports inside functions."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, -0.4])

imports = tp.from_source('''
def imports(x):
    import math
    from math import cos, sin as sine
    import numpy.linalg as la, scipy.special
    if x[0] > 0:
        from scipy.constants import golden as scale
    else:
        from scipy import special
        return special.erf(x[1])
    return sine(x[0]) * cos(x[1]) * la.norm(x) + scipy.special.erf(x[2]) + math.pi * scale
''')

missing = tp.from_source('''
def missing(x):
    from math import nothing
    return nothing(x)
''')


matched = tp.from_source('''
def matched(x, kind='sine'):
    for k in range(2):
        match kind:
            case 'sine':
                from math import sin as f
            case _:
                from math import cos as f
        x = x * f(x[k])
    return x[0] + x[1]
''')

relative = tp.from_source('''
def relative(x):
    from . import nothing
    return nothing(x)
''')


@pytest.mark.parametrize('x', [X, -X])
def test_derivatives(x, mode):
    check(mode, imports, x)


def test_imports_in_cases(mode):
    check(mode, matched, X)


@pytest.mark.parametrize('f', [missing, relative])
def test_what_cannot_be_imported(f):
    with pytest.raises(tp.TranspileError, match='import|nothing'):
        tp.grad(f)(X)
