"""Which functions of elements there is compiled code for, and what it is called."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import gast
import numpy as np
import scipy.special
from numba.np.ufunc_db import get_ufuncs

from transpiler.values.numbers import divides_as_python
from transpiler.values.types import Type
from transpiler_kernels.special import elementary, exported

OPERATORS: dict[type, np.ufunc] = {
    gast.Add: np.add, gast.Sub: np.subtract, gast.Mult: np.multiply, gast.Div: np.true_divide, gast.FloorDiv: np.floor_divide,
    gast.Mod: np.remainder, gast.Pow: np.power, gast.MatMult: np.matmul, gast.BitAnd: np.bitwise_and, gast.BitOr: np.bitwise_or,
    gast.BitXor: np.bitwise_xor, gast.LShift: np.left_shift, gast.RShift: np.right_shift, gast.USub: np.negative,
    gast.UAdd: np.positive, gast.Invert: np.invert, gast.Lt: np.less, gast.LtE: np.less_equal, gast.Gt: np.greater,
    gast.GtE: np.greater_equal, gast.Eq: np.equal, gast.NotEq: np.not_equal}
NAMES = {operator: f'numpy.{ufunc.__name__}' for operator, ufunc in OPERATORS.items()}
BY_NAME = {NAMES[operator]: ufunc for operator, ufunc in OPERATORS.items()} | {'numpy.true_divide': np.true_divide}
NODES = {ufunc: operator for operator, ufunc in OPERATORS.items()}

UFUNCS = {f'numpy.{ufunc.__name__}': ufunc for ufunc in get_ufuncs()}
UFUNCS |= {'numpy.true_divide': np.true_divide, 'numpy.abs': np.absolute}

# what `kernels/vector_math` has for a ufunc, as C's library or SciPy calls it
VECTORISED = {getattr(np, name): name.replace('arc', 'a') for name in (
    'exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'arctan2',
    'sinh', 'cosh', 'tanh', 'arcsinh', 'arccosh', 'arctanh', 'cbrt', 'hypot', 'logaddexp', 'logaddexp2')} | {np.power: 'pow'}
VECTORISED |= {getattr(scipy.special, name): name for name in ('erf', 'erfc', 'expit', 'gammaln', 'log_expit')}
# those of them that C's library or SciPy computes twice as fast for one number alone, and at least as exactly; logaddexp as
# exactly as NumPy does without `jit`: where that rounds the difference of its arguments it may be 16 units in the last place off
FASTER_ALONE = frozenset({
    np.exp, np.exp2, np.log, np.log2, np.sin, np.cos, np.arcsin, np.arccos, np.arctan, np.arctan2, np.power,
    np.logaddexp, np.logaddexp2,
    scipy.special.erf, scipy.special.erfc, scipy.special.expit, scipy.special.gammaln})
SUFFIXES = {'d': '', 'f': 'f'}
MATHEMATICS, SPECIAL, OF_COMPLEX = 'kernels.vector_math.', 'kernels.special.', 'kernels.arithmetic.complex_math.'
WRONG_IN_NUMBA = frozenset({  # of complex numbers
    np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.sin, np.cos, np.sinh, np.cosh, np.tanh, np.arccosh,
    np.power, np.float_power, np.true_divide, np.reciprocal, np.sqrt})
EXTREMES = {np.maximum: 'kernels.arithmetic.extremes.larger', np.minimum: 'kernels.arithmetic.extremes.smaller'}


@cache
def ufunc_of(name: str) -> np.ufunc | None:
    """The function of elements that is called so, if there is compiled code for it.

    >>> ufunc_of('numpy.exp'), ufunc_of('scipy.special.erf'), ufunc_of('numpy.sort'), ufunc_of('scipy.special.fresnel')
    (<ufunc 'exp'>, <ufunc 'erf'>, None, None)
    """
    if name in UFUNCS:
        return UFUNCS[name]
    package, _, function = name.rpartition('.')
    ufunc = getattr(scipy.special, function, None) if package == 'scipy.special' else None
    return ufunc if isinstance(ufunc, np.ufunc) and kernel_of(ufunc) is not None else None


def are_pythons(ufunc: np.ufunc, types: Sequence[Type]) -> bool:
    """Whether an operator between operands of these types is Python's own, not NumPy's."""
    weak = all(getattr(type_, 'weak', False) for type_ in types)
    return ufunc in NODES and (weak or ufunc is np.true_divide and divides_as_python(*types))


@cache
def kernel_of(ufunc: np.ufunc) -> str | None:
    """The name of a function of SciPy in `kernels/special/`: our own where there is one, SciPy's compiled one otherwise.

    >>> kernel_of(scipy.special.erf), kernel_of(scipy.special.digamma), kernel_of(np.exp)
    ('kernels.special.elementary.erf', 'kernels.special.exported.psi', None)
    """
    name = ufunc.__name__
    if getattr(scipy.special, name, None) is not ufunc or ufunc.nout > 1:
        return None
    homes = {'elementary': elementary.is_written, 'exported': exported.is_exported}
    return next((f'{SPECIAL}{home}.{name}' for home, has in homes.items() if has(name, ufunc.nin)), None)


def vectorised_for(ufunc: np.ufunc, dtype: np.dtype) -> str | None:
    """The name of the function of numbers that loops are vectorised with, which gives one of that dtype.

    >>> vectorised_for(np.arcsin, np.dtype('float32')), vectorised_for(np.exp, np.dtype(complex)), vectorised_for(np.abs, float)
    ('kernels.vector_math.asinf', None, None)
    """
    name, suffix = VECTORISED.get(ufunc), SUFFIXES.get(np.dtype(dtype).char)
    return None if name is None or suffix is None else f'{MATHEMATICS}{name}{suffix}'


def is_one_by_one(ufunc: np.ufunc) -> bool:
    """Whether it is a function of SciPy that no loop is vectorised with.

    >>> is_one_by_one(scipy.special.digamma), is_one_by_one(scipy.special.erf), is_one_by_one(np.add)
    (True, False, False)
    """
    return ufunc not in VECTORISED and kernel_of(ufunc) is not None


def written_for(ufunc: np.ufunc, dtype: np.dtype) -> str | None:
    """The name of the function of elements in `kernels/` that stands for one of NumPy or SciPy.

    >>> written_for(np.tanh, np.dtype(complex)), written_for(np.tanh, np.dtype(float))
    ('kernels.arithmetic.complex_math.tanh', None)
    """
    if dtype.kind == 'f' and ufunc in (np.sign, np.spacing):
        return f'kernels.arithmetic.elementwise.{ufunc.__name__}'
    return f'{OF_COMPLEX}{ufunc.__name__}' if dtype.kind == 'c' and ufunc in WRONG_IN_NUMBA else kernel_of(ufunc)
