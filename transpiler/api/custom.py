"""Functions with derivatives of their own: `custom_vjp`, `custom_jvp` and `stop_gradient`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from transpiler.api.transformed import Transformed
from transpiler.errors import NotDifferentiable
from transpiler.rules.custom import one_by_one


class _Custom:
    """A function that is called as it is, and whose derivative is what a rule says."""

    __name__: str
    how: str

    def __init__(self, function: Callable, nondiff: Sequence[int]):
        if isinstance(function, Transformed):
            raise TypeError('a rule is given to a plain function: call the transformed one inside it')
        kinds = {p.kind for p in inspect.signature(function).parameters.values()}
        if kinds & {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}:
            raise TypeError('a function with a rule takes positional arguments: its rule is given them by position')
        functools.update_wrapper(self, function)
        self.function, self.nondiff = function, tuple(nondiff)
        self.rules: tuple[Any, Any, Any] = (None, None, None)

    def __call__(self, /, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f'<{type(self).__name__} {self.__name__}>'

    def __transpiler_rule__(self) -> tuple:
        return self.rules

    def missing(self) -> NotDifferentiable:
        """The error of a derivative without a rule."""
        return NotDifferentiable(f'`{self.__name__}` has no rule yet', why=f'it is a {type(self).__name__}', instead=self.how)


class custom_vjp(_Custom):
    """A function with a rule for reverse mode, given by `f.defvjp(fwd, bwd)`. Also a decorator.

    nondiff_argnums: positional arguments that nothing is differentiated by (functions, options); `bwd` takes them first

    `fwd(*args)` gives the result and what `bwd` needs; `bwd(*nondiff_args, residuals, cotangent)` gives a tuple with the
    cotangent of each other argument, in its structure, or None. Both are plain NumPy code, written into the derivative
    where `f` is called; so they are compiled by `jit`, and differentiated again.

    Raises NotDifferentiable, with the rule's line, where the rule does not fit the function.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> @tp.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, None), lambda _, x_bar: (np.clip(x_bar, -1.0, 1.0),))
    >>> float(tp.grad(lambda x: 5.0 * clipped(x))(2.0))
    1.0
    """

    how = 'give it one: `f.defvjp(fwd, bwd)`'

    def __init__(self, f: Callable, nondiff_argnums: Sequence[int] = ()):
        super().__init__(f, nondiff_argnums)

    def defvjp(self, fwd: Callable, bwd: Callable) -> None:
        """Give the rule."""
        self.rules = (fwd, bwd, None)


class custom_jvp(_Custom):
    """A function with a rule for forward mode, given by `f.defjvp(rule)` or `f.defjvps(*rules)`; reverse mode transposes it.

    nondiff_argnums: positional arguments that nothing is differentiated by (functions, options); the rule takes them first

    `rule(*nondiff_args, primals, tangents)` takes two tuples and gives the result and its tangent, which must be linear in the
    tangents. It is plain NumPy code, written into the derivative where `f` is called; so it is compiled by `jit`, and
    differentiated again. Raises NotDifferentiable where the rule does not fit the function.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> @tp.custom_jvp
    ... def log1pexp(x):
    ...     return np.log(1.0 + np.exp(x))
    >>> log1pexp.defjvps(lambda x_dot, ans, x: (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot)
    >>> float(tp.grad(log1pexp)(0.0))
    0.5
    """

    how = 'give it one: `f.defjvp(rule)`'

    def __init__(self, f: Callable, nondiff_argnums: Sequence[int] = ()):
        super().__init__(f, nondiff_argnums)

    def defjvp(self, rule: Callable) -> Callable:
        """Give the rule; also a decorator."""
        self.rules = (None, None, rule)
        return rule

    def defjvps(self, *rules: Callable | None) -> None:
        """Give a rule for each argument, `rule(tangent, result, *primals)`, or None; what they give is added."""
        if self.nondiff:
            raise TypeError('defjvps does not go with nondiff_argnums: give the rule by defjvp')
        self.rules = (None, None, one_by_one(self, rules))


def stop_gradient(x: Any) -> Any:
    """The same value, without a derivative, in both modes; `x` is a number, an array, or a tuple, list or dict of them.

    >>> import transpiler as tp
    >>> tp.grad(lambda x: x * tp.stop_gradient(x))(3.0)
    3.0
    """
    return x


_public: Any = stop_gradient
_public.__transpiler_derive__ = lambda run, args, keywords: run.stopped(*args, **keywords)
