"""Which rule a library function has. Rules that need a large package are entered when something first asks for one of them."""
from __future__ import annotations

import difflib
import importlib
from collections.abc import Hashable
from typing import Any

import numpy as np

from transpiler.rules.base.registry import PRIMITIVES, RULES, Rule

# packages that take long to import, and functions whose rules import them -> where the rules are
SPECIAL = 'transpiler.rules.elementwise.of_scipy'
LATER = {'scipy.linalg': 'transpiler.rules.linear_algebra.scipy_matrices',
         'scipy.integrate': 'transpiler.rules.arrays.quadrature',
         'scipy.signal': 'transpiler.rules.arrays.signals', 'scipy.stats': 'transpiler.rules.elementwise.densities',
         'scipy.special': SPECIAL, 'numpy.i0': SPECIAL,
         **{f'math.{name}': SPECIAL for name in ('erf', 'erfc', 'gamma', 'lgamma')}}


def rule_of(function: Any) -> Rule | None:
    """The rule of a library function object, if it has one."""
    if not isinstance(function, Hashable):
        return None
    enter_later(function)
    name = PRIMITIVES.get(function)
    return RULES[name] if name else None


def enter_later(function: Any) -> None:
    """Enter the rules of a function, if they import a large package, for which nobody should wait in vain."""
    if function in PRIMITIVES:
        return
    module = getattr(function, '__module__', None) or ''
    if isinstance(function, np.ufunc):
        module = 'scipy.special'    # if it is no ufunc of NumPy's that needs nothing of SciPy: they do not tell
    name = f'{module}.{getattr(function, "__name__", "")}'
    for package, rules in LATER.items():
        if name.startswith(f'{package}.') or name == package:
            importlib.import_module(rules)


def nearest(name: str) -> str | None:
    """The supported function whose name is much like `name`, of the same package rather than of another; for error messages.

    >>> nearest('scipy.special.logsumexp2'), nearest('numpy.no_such_thing')
    ('scipy.special.logsumexp', None)
    """
    package, _, own = name.rpartition('.')
    for candidates, likeness in (([n for n in RULES if n.rpartition('.')[0] == package], 0.7), (list(RULES), 0.9)):
        last = {n.rpartition('.')[2]: n for n in reversed(candidates)}
        if close := difflib.get_close_matches(own, last, n=1, cutoff=likeness):
            return last[close[0]]
    return None
