"""NumPy's functions of elements, compiled, at zeros of both signs, infinities, NaN, and numbers of all sizes."""
import numpy as np
import pytest

import tests.all_rules  # noqa: F401
import transpiler as tp
from transpiler.rules.base.registry import RULES

VALUES = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, -0.5, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e308, -1e308, 1e-300,
          2.0 ** 53 + 2, 2.0 ** 53, -2.0 ** 24, 1e22]
EITHER_ZERO = ('fmax', 'fmin', 'maximum', 'minimum')     # NumPy gives what the processor's instruction gives
UFUNCS = [getattr(np, name[6:]) for name in sorted(RULES) if isinstance(getattr(np, name.removeprefix('numpy.'), None), np.ufunc)]


def of_all(inputs, kind):
    """A function of all these ufuncs that take so many numbers of a dtype, and their names."""
    taken = [ufunc.__name__ for ufunc in UFUNCS if ufunc.nin == inputs and ufunc.nout == 1 and any(
        signature[:inputs] == kind * inputs for signature in ufunc.types)]
    given = ', '.join('xy'[:inputs])
    lines = [f'    r{k} = np.{name}({given})' for k, name in enumerate(taken)]
    results = ', '.join(f'r{k}' for k in range(len(taken)))
    return taken, tp.from_source('\n'.join(['import numpy as np', '', f'def f({given}):', *lines, f'    return {results},', '']))


@pytest.mark.compiles
@pytest.mark.parametrize('kind', 'df')
@pytest.mark.parametrize('inputs', [1, 2])
def test_as_numpy(inputs, kind):
    """Zeros and infinities have their signs; all else is within what libraries differ by."""
    with np.errstate(over='ignore'):
        given = [np.array(VALUES).astype(kind)]
    given = [a.ravel() for a in np.meshgrid(*given * 2)] if inputs == 2 else given
    names, function = of_all(inputs, kind)
    with np.errstate(all='ignore'):
        expected = function(*given)
        found = tp.jit(function)(*given)
    for name, got, wanted in zip(names, found, expected, strict=True):
        assert got.dtype == wanted.dtype, name
        with np.errstate(all='ignore'):
            near = np.isclose(got, wanted, rtol=1e-5 if kind == 'f' else 1e-12, atol=0.0, equal_nan=True)
        zeros = (wanted == 0) & (np.signbit(got) != np.signbit(wanted)) if wanted.dtype.kind == 'f' else ~near
        wrong = np.flatnonzero(~near | zeros & (name not in EITHER_ZERO))
        assert not wrong.size, (name, [tuple(float(x[k]) for x in (*given, got, wanted)) for k in wrong[:3]])
