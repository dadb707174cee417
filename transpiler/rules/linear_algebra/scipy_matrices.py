"""`scipy.linalg`: triangular systems, factors given, structured matrices, the matrix exponential."""
import numpy as np
import scipy.linalg

from transpiler.rules.base.examples import case, definite, regular
from transpiler.rules.base.registry import definition, jvp, known, vjp
from transpiler.rules.linear_algebra import matrix_roots, scipy_namesakes  # noqa: F401  (enter their rules)
from transpiler.rules.linear_algebra.factorizations import NAME
from transpiler.rules.linear_algebra.systems import solved
from transpiler_kernels.definitions import matrices

ALLOWED = {'trans': (0, 1), 'overwrite_b': (False,), 'check_finite': (True, False)}


def require_one_matrix(a, b):
    if a.ndim != 2 or b.ndim > 2:
        raise ValueError('solve_triangular has a derivative for one matrix, and a vector or a matrix')


def triangle(a, lower, unit_diagonal):
    """What is read of the matrix, but for a diagonal of ones."""
    if lower:
        return np.tril(a, -1 if unit_diagonal else 0)
    return np.triu(a, 1 if unit_diagonal else 0)


@vjp(scipy.linalg.solve_triangular, name=NAME + 'solve_triangular', type=solved, scales=('b',), allowed=ALLOWED, real_only=True,
     examples=(case(regular(3), (3,)), case(regular(3), (3, 2), lower=True), case(regular(3), (3,), trans=1),
               case(regular(3), (3, 2), trans=1, lower=True), case(regular(3), (3,), unit_diagonal=True)))
def solve_triangular(ct, ans, a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    """As of `np.linalg.solve`, for the triangle that is read."""
    require_one_matrix(a, b)
    b_bar = scipy.linalg.solve_triangular(a, ct, trans=1 - trans, lower=lower, unit_diagonal=unit_diagonal)
    left, right = (b_bar, ans) if trans == 0 else (ans, b_bar)
    a_bar = np.outer(left, right) if b.ndim == 1 else left @ right.T
    return -triangle(a_bar, lower, unit_diagonal), b_bar


@jvp(scipy.linalg.solve_triangular)
def solve_triangular_jvp(a_dot, b_dot, ans, a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False,
                         check_finite=True):
    require_one_matrix(a, b)
    moved = b_dot
    if not known(a_dot):
        change = triangle(a_dot, lower, unit_diagonal)
        moved = b_dot - (change if trans == 0 else change.T) @ ans
    return scipy.linalg.solve_triangular(a, moved, trans=trans, lower=lower, unit_diagonal=unit_diagonal)


FACTORED = dict(real_only=True, allowed={'overwrite_a': (False,), 'check_finite': (True, False)})
definition(scipy.linalg.cholesky, name=NAME + 'cholesky', examples=(case(definite(3)), case(definite(3), lower=True)),
           **FACTORED)(matrices.cholesky)
definition(scipy.linalg.cho_factor, name=NAME + 'cho_factor', examples=(case(definite(3)), case(definite(3), lower=True)),
           **FACTORED)(matrices.cho_factor)
definition(scipy.linalg.cho_solve, name=NAME + 'cho_solve', real_only=True, sequences=('c_and_lower',),
           allowed={'overwrite_b': (False,), 'check_finite': (True, False)},
           examples=(case([regular(3), True], (3,)), case([regular(3), False], (3, 2))))(matrices.cho_solve)
SWAPPED = np.array([1, 2, 2], np.int32)
definition(scipy.linalg.lu_solve, name=NAME + 'lu_solve', real_only=True, sequences=('lu_and_piv',),
           allowed={'trans': (0, 1), 'overwrite_b': (False,), 'check_finite': (True, False)},
           examples=(case([regular(3), SWAPPED], (3,)), case([regular(3), SWAPPED], (3, 2), trans=1)))(matrices.lu_solve)
definition(scipy.linalg.solve_continuous_lyapunov, name=NAME + 'solve_continuous_lyapunov',
           examples=(case(regular(3), (3, 3)),))(matrices.solve_continuous_lyapunov)
definition(scipy.linalg.block_diag, name=NAME + 'block_diag', examples=(case((2, 3), (3, 1)), case((2,), (2, 2), (1, 1))))(
    matrices.block_diag)
definition(scipy.linalg.toeplitz, name=NAME + 'toeplitz', examples=(case((4,)), case((3,), (4,)), case((1,))))(matrices.toeplitz)
definition(scipy.linalg.expm, name=NAME + 'expm', examples=(case((3, 3)), case((1, 1)), case((4, 4))), domain=(0.1, 3.0))(
    matrices.expm)
definition(scipy.linalg.logm, name=NAME + 'logm', examples=(case(definite(3)), case(regular(1)), case(regular(4))))(matrices.logm)
