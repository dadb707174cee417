"""Functions that are not supported although people look for them: why, and what to write instead.

The message of a refusal says it, and so does `docs/numpy.md`.
"""
from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple


class Missing(NamedTuple):
    why: str
    instead: str


_PARTS = Missing('the order inside each part is left open, so that compiled code would give other values than NumPy',
                 '`np.sort` or `np.argsort`')
_OWN_LOOP = Missing('it gives all results the dtype of the first one, whatever the others are', 'a `for` loop, or `tp.vmap`')
_NO_RULE = 'it has no rule yet'

MISSING = MappingProxyType({
    'numpy.partition': _PARTS,
    'numpy.argpartition': _PARTS,
    'numpy.lexsort': Missing(_NO_RULE, "`np.argsort(..., kind='stable')` by one key after the other, the last one in the end"),
    'numpy.unique': Missing('how many items it gives depends on the values', '`np.sort`, and `np.diff` to find the steps'),
    'numpy.apply_along_axis': _OWN_LOOP,
    'numpy.random': Missing('what is drawn depends on all that was drawn before', 'numbers drawn by the caller, as arguments'),
    'numpy.vectorize': _OWN_LOOP,
    'collections.defaultdict': Missing('what it holds depends on what is read', '`d[k] = d.get(k, 0.0) + v` with a dict'),
    'heapq': Missing('the order of its items shows at run time only', '`sorted`, or `min` and `np.argmin` of what is left'),
    'cmath': Missing(_NO_RULE, "NumPy's function of that name, which takes complex numbers: `np.exp(z + 0j)`"),
    'itertools': Missing('others of its iterators are supported, not this one', 'a loop that puts what it gives on a list'),
    'itertools.cycle': Missing('it never ends', '`x[k % len(x)]` in a loop over `range(n)`'),
    'itertools.dropwhile': Missing('how many items it gives depends on their values', 'a loop with `continue`'),
    'itertools.takewhile': Missing('how many items it gives depends on their values', 'a loop with `break`'),
    'itertools.zip_longest': Missing(_NO_RULE, '`zip`, and another loop over what one of them has more'),
    'scipy.ndimage.convolve': Missing(_NO_RULE, '`scipy.signal.convolve2d`, or a loop over the offsets'),
    'scipy.interpolate.interp1d': Missing('it is a class that does its work when it is made', '`np.interp`'),
    'scipy.optimize.minimize': Missing(
        'it calls Python functions', '`tp.custom_vjp` with the implicit function theorem: docs/custom_rules.md'),
    'scipy.integrate.solve_ivp': Missing(
        'it calls Python functions', 'the integrator as a loop, or `tp.custom_vjp` with an adjoint: docs/custom_rules.md'),
})

# Calls that are supported in part: the call, what of it is missing, and why.
PARTLY = (
    ('`x[x > 0]`, `np.extract`, `np.nonzero`', '`vmap`, where the result is returned as it is',
     'examples pick as many items as their masks say: there is no rectangular result; reductions of it are batched'),
    ('`np.round(x, 1)`, `np.floor` and others with steps', 'agreement with differences that reach over a step',
     'the derivative is zero between the steps, as in JAX'),
    ('`np.linalg.eigh`, `np.linalg.svd` at equal values', 'derivatives of single vectors are infinite or NaN, as in JAX',
     'the vectors are not functions of the matrix there; functions of the values alone are right. '
     'Inside `with tp.equal_eigenvalues(...)` they raise, or are regularised'),
    ("`np.linalg.svd(a)` where `a` is not square, `np.linalg.qr(a, 'complete')`", 'derivatives of vectors',
     'the vectors beyond the rank are not determined: give `full_matrices=False`'),
    ('`np.linalg.eigvals`, `np.linalg.eig`, `scipy.linalg.sqrtm`, `scipy.linalg.logm` of real numbers',
     'complex results: they raise `ValueError` when the program runs',
     'NumPy changes the dtype with the values, a program has one: give complex numbers, `a.astype(complex)`, where they may be'),
    ('`np.linalg.eig` of complex numbers', 'derivatives, of first order, and so of second order those of `np.linalg.eigvals`',
     'a factor of each vector is chosen by LAPACK'),
    ('`scipy.linalg.lu`, `lu_factor` of matrices that are not square', 'derivatives', 'the rule is that of square ones'),
    ('`scipy.special.jv`, `gammainc`, `betainc`, `zeta` and others', 'derivatives by the arguments that are *fixed*',
     'no formula that would be as accurate is known'),
    ('`np.bincount`, `np.searchsorted`, `np.digitize` and other integers', 'derivatives by what decides places',
     'there are none'),
)


def missing(name: str) -> Missing | None:
    """What is known of a function that has no rule, or of the module that it belongs to."""
    return MISSING.get(name) or MISSING.get(name.rpartition('.')[0])


def public_name(value: Any) -> str:
    """The dotted name by which a library function is imported: without the private modules it comes from.

    >>> import scipy.linalg, numpy as np
    >>> import heapq
    >>> public_name(scipy.linalg.schur), public_name(np.partition), public_name(callable), public_name(heapq.heappush)
    ('scipy.linalg.schur', 'numpy.partition', 'builtins.callable', 'heapq.heappush')
    """
    modules = (getattr(value, '__module__', None) or '').split('.')
    modules = [] if modules == ['__main__'] else modules    # the program itself
    public = [part for part in modules if part and not part.startswith('_')] or [part.lstrip('_') for part in modules[-1:]]
    return '.'.join([*filter(None, public), getattr(value, '__name__', str(value))])
