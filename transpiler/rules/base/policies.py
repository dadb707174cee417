"""What users may choose where mathematics leaves no answer."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from transpiler.arguments.asked import asked

POLICIES = ('nan', 'raise', 'regularise')

Guard = tuple[Callable[[], str], str]  # a question, and the answer that a program relies on

_equal: ContextVar[str] = ContextVar('equal', default='nan')
_asked: ContextVar[list[Guard] | None] = ContextVar('asked', default=None)


class _Chosen:
    """What is chosen at the moment, for rules to ask."""

    @property
    def equal(self) -> str:
        asked, answer = _asked.get(), _equal.get()
        if asked is not None:
            asked[:] = [(_equal.get, answer)]
        return answer


chosen = _Chosen()


@contextmanager
def asking() -> Iterator[list[Guard]]:
    """Collect what rules have asked inside: a program that is made there holds as long as the answers stay."""
    guards: list[Guard] = []
    token = _asked.set(guards)
    try:
        yield guards
    finally:
        _asked.reset(token)


@asked
@contextmanager
def equal_eigenvalues(policy: str) -> Iterator[None]:
    """What derivatives of eigenvectors and singular vectors are where two of the values are equal, for calls made inside.

    The vectors are no functions of the matrix there. Functions of all the values alone are smooth, and not concerned. Vectors
    of a singular value 0 count as such of equal values, too, unless the matrix is square and it is the only one.

    policy: 'nan': infinite or NaN, as in JAX (what holds elsewhere); 'raise': `ValueError`; 'regularise': 1/d becomes
        d / (d**2 + eps * m**2) for a difference d and the greatest value m, so that equal values count as not coupled, and
        other derivatives change by a part of eps * (m/d)**2 (Liao and others, "Differentiable programming tensor networks",
        2019); for singular values d and m are those of their squares

    Raises ValueError for another policy. It is not passed on to other threads.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> slope = tp.grad(lambda a: np.sum(np.linalg.eigh(a)[1] ** 3))
    >>> with tp.equal_eigenvalues('regularise'):
    ...     slope(np.eye(2))
    array([[0., 0.],
           [0., 0.]])
    """
    if policy not in POLICIES:
        raise ValueError(f'the policy is one of {", ".join(map(repr, POLICIES))}, not {policy!r}')
    token = _equal.set(policy)
    try:
        yield
    finally:
        _equal.reset(token)
