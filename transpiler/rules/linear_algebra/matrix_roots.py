"""`scipy.linalg`: Sylvester's equation, and the square root of a matrix, whose derivative is one of its solutions."""
from typing import Any

import numpy as np
import scipy.linalg

from transpiler.rules.base.examples import case, regular
from transpiler.rules.base.registry import batched, jvp, known, vjp
from transpiler.rules.linear_algebra.factorizations import NAME
from transpiler.rules.linear_algebra.systems import inverted, turned
from transpiler.values.types import Array, Type, Unknown
from transpiler_kernels.definitions import matrices


def moved(a: Type, b: Type, q: Type, **others: Any) -> Type:
    if any(isinstance(t, Unknown) for t in (a, b, q)):
        return Unknown()
    return Array(np.result_type(*(inverted(t).dtype for t in (a, b, q))), q.dims)


@vjp(scipy.linalg.solve_sylvester, name=NAME + 'solve_sylvester', type=moved, scales=('q',),
     examples=(case(regular(3), regular(3), (3, 3)), case(regular(3), regular(2), (3, 2)),
               case(regular(2, 3), regular(2, 2), (2, 3, 2))))
def solve_sylvester(ct, ans, a, b, q):
    q_bar = scipy.linalg.solve_sylvester(turned(a), turned(b), ct)
    return -(q_bar @ turned(ans)), -(turned(ans) @ q_bar), q_bar


@jvp(scipy.linalg.solve_sylvester)
def solve_sylvester_jvp(a_dot, b_dot, q_dot, ans, a, b, q):
    change = q_dot
    if not known(a_dot):
        change = change - a_dot @ ans
    if not known(b_dot):
        change = change - ans @ b_dot
    return scipy.linalg.solve_sylvester(a, b, change)


@batched(scipy.linalg.solve_sylvester)
def solve_sylvester_of_examples(function, a, b, q):
    return scipy.linalg.solve_sylvester(a, b, q)


@vjp(scipy.linalg.sqrtm, name=NAME + 'sqrtm', type=inverted, checked=matrices.sqrtm,
     examples=(case(regular(3)), case(regular(2, 3)), case(regular(1))))
def sqrtm(ct, ans, A):
    """Of `ans @ ans == A`; where two eigenvalues of the root have the sum 0, it has no derivative."""
    back = turned(ans)
    return scipy.linalg.solve_sylvester(back, back, ct)


@jvp(scipy.linalg.sqrtm)
def sqrtm_jvp(A_dot, ans, A):
    return scipy.linalg.solve_sylvester(ans, ans, A_dot)


@batched(scipy.linalg.sqrtm)
def sqrtm_of_examples(function, A):
    return scipy.linalg.sqrtm(A)
