"""Functions with derivatives of their own: `custom_vjp`, `custom_jvp` and `stop_gradient`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, Protocol, TypeVar, overload

from transpiler.api.calls.nested import means, only_outside
from transpiler.api.calls.pickling import stands_for_itself
from transpiler.api.calls.transformed import P, R, Transformed
from transpiler.api.decorators import O, decorator
from transpiler.arguments.calls import as_function
from transpiler.arguments.integers import integers, numbered_parameters
from transpiler.errors import NotDifferentiable
from transpiler.rules.base.custom import differences, one_by_one
from transpiler.source.reading.decorated import signature_of

Rule = TypeVar('Rule', bound=Callable[..., tuple[Any, Any]])
Value = TypeVar('Value')


class _Custom(Generic[P, R]):
    """A function that is called as it is, and whose derivative is what a rule says."""

    __name__: str
    __qualname__: str
    kind: str
    how: str
    boxed = False

    def __init__(self, function: Callable[P, R], nondiff: Sequence[int]):
        if isinstance(function, Transformed):
            raise TypeError('a rule is given to a plain function: call the transformed one inside it')
        self.__signature__ = self._signature(as_function(function, self.kind))
        kinds = {p.kind for p in self.__signature__.parameters.values()}
        if kinds & {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}:
            raise TypeError('a function with a rule takes positional arguments: its rule is given them by position')
        functools.update_wrapper(self, function)
        self.__name__ = getattr(function, '__name__', 'function')  # a pointer of ctypes may have none
        any_number = inspect.Parameter.VAR_POSITIONAL in kinds
        self.nondiff = integers(nondiff, 'nondiff_argnums') if any_number else numbered_parameters(
            nondiff, 'nondiff_argnums', list(self.__signature__.parameters))
        self.function = function
        self.rules: tuple[Any, Any, Any] = (None, None, None)

    def _signature(self, function: Callable) -> inspect.Signature:
        return signature_of(function)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f'<{type(self).kind} {self.__name__}>'

    def __reduce__(self) -> Any:
        if stands_for_itself(self):
            return self.__qualname__
        return object.__new__, (type(self),), vars(self)

    def __transpiler_rule__(self) -> tuple:
        return self.rules

    def missing(self) -> NotDifferentiable:
        """The error of a derivative without a rule."""
        return NotDifferentiable(f'`{self.__name__}` has no rule yet', why=f'it is a {type(self).kind}', instead=self.how)


class custom_vjp(_Custom[P, R]):
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

    kind = 'custom_vjp'
    how = 'give it one: `f.defvjp(fwd, bwd)`'

    def __init__(self, f: Callable[P, R], nondiff_argnums: Sequence[int] = ()):
        super().__init__(f, nondiff_argnums)

    def defvjp(self, fwd: Callable[..., tuple[Any, Any]], bwd: Callable[..., tuple[Any, ...]]) -> None:
        """Give the rule."""
        self.rules = (as_function(fwd, 'defvjp'), as_function(bwd, 'defvjp'), None)


class custom_jvp(_Custom[P, R]):
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

    kind = 'custom_jvp'
    how = 'give it one: `f.defjvp(rule)`'

    def __init__(self, f: Callable[P, R], nondiff_argnums: Sequence[int] = ()):
        super().__init__(f, nondiff_argnums)

    def defjvp(self, rule: Rule) -> Rule:
        """Give the rule; also a decorator."""
        self.rules = (None, None, as_function(rule, 'defjvp'))
        return rule

    def defjvps(self, *rules: Callable[..., Any] | None) -> None:
        """Give a rule for each argument, `rule(tangent, result, *primals)`, or None; what they give is added."""
        if self.nondiff:
            raise TypeError('defjvps does not go with nondiff_argnums: give the rule by defjvp')
        if len(rules) > len(self.__signature__.parameters):
            raise TypeError(f'defjvps takes a rule for each of {self.__name__}{self.__signature__}, but {len(rules)} are given')
        self.rules = (None, None, one_by_one(self, [rule and as_function(rule, 'defjvps') for rule in rules]))


class Primitive(_Custom[P, R]):
    """A black box, as `primitive` makes one of a function: call it like the function, and give it a rule."""

    kind = 'primitive'
    how = "give it one, by `f.defvjp(fwd, bwd)` or `f.defjvp(rule)`, or ask for `derivative='finite differences'`"
    boxed = True

    def __init__(self, f: Callable[P, R], result: Any, nondiff_argnums: Sequence[int], derivative: str | None):
        if derivative not in (None, 'finite differences'):
            raise ValueError(f"derivative is None or 'finite differences', not {derivative!r}")
        super().__init__(f, nondiff_argnums)
        self.result = result
        if derivative is not None:
            self.rules = differences(self)

    def _signature(self, function: Callable) -> inspect.Signature:
        try:
            return signature_of(function)
        except ValueError:  # compiled code may not tell
            kind = inspect.Parameter.POSITIONAL_ONLY
            types = getattr(function, 'argtypes', None)
            if types is not None:
                return inspect.Signature([inspect.Parameter(f'x{k}', kind) for k in range(len(types))])
            return inspect.Signature([inspect.Parameter('args', inspect.Parameter.VAR_POSITIONAL)])

    def defvjp(self, fwd: Callable[..., tuple[Any, Any]], bwd: Callable[..., tuple[Any, ...]]) -> None:
        """Give a rule for cotangents, as for `custom_vjp`."""
        self.rules = (as_function(fwd, 'defvjp'), as_function(bwd, 'defvjp'), None)

    def defjvp(self, rule: Rule) -> Rule:
        """Give a rule for tangents, as for `custom_jvp`; also a decorator."""
        self.rules = (None, None, as_function(rule, 'defjvp'))
        return rule


class Boxed(Protocol[O]):
    """Gives a function that takes and gives what `f` does, and may be given a rule."""

    @overload
    def __call__(self, f: Callable[P, R], *args: O.args, **options: O.kwargs) -> Primitive[P, R]: ...

    @overload
    def __call__(
        self, f: None = None, *args: O.args, **options: O.kwargs
    ) -> Callable[[Callable[P, R]], Primitive[P, R]]: ...


def to_primitive(make: Callable[Concatenate[Any, O], Any]) -> Boxed[O]:
    return decorator(make)


@to_primitive
def primitive(
    f: Callable[P, R], result: Any = 0, nondiff_argnums: Sequence[int] = (), derivative: str | None = None
) -> Primitive[P, R]:
    """A black box: a function that is called as it is, with a rule for its derivative. Also a decorator.

    f: anything that can be called: a function with a solver in it, compiled code, a C function by ctypes. It must depend on
        its arguments alone, and leave them as they are; it is given numbers, arrays, constants, tuples and lists of these.
    result: what it gives: the name or number of the argument that the result is like, or its type as an annotation has it,
        `'float'`, `'float64[n]'`, `'float64[3, n]'` (letters stand for any size); a tuple of these for a tuple of results
    nondiff_argnums: positional arguments that nothing is differentiated by
    derivative: 'finite differences' for a derivative by central differences, of one result, instead of a rule

    A rule is given by `defvjp(fwd, bwd)` or `defjvp(rule)`, as for `custom_vjp` and `custom_jvp`; either serves both modes.
    Without one, derivatives raise NotDifferentiable. Under `jit` it must be a pointer of ctypes with `argtypes`, or be
    compiled by Numba; a CompileError names any other. A result that is not what was declared raises a TypeError when the
    code runs.

    >>> import math
    >>> import transpiler as tp
    >>> erf = tp.primitive(math.erf)
    >>> slope = lambda x: 2.0 / math.sqrt(math.pi) * math.exp(-x * x)
    >>> rule = erf.defjvp(lambda primals, tangents: (erf(*primals), slope(*primals) * tangents[0]))
    >>> round(tp.grad(lambda x: erf(2.0 * x))(0.0), 6)
    2.256758
    """
    return Primitive(f, result, nondiff_argnums, derivative)


def stop_gradient(x: Value) -> Value:
    """The same value, without a derivative, in both modes; `x` is a number, an array, or a tuple, list or dict of them.

    >>> import transpiler as tp
    >>> tp.grad(lambda x: x * tp.stop_gradient(x))(3.0)
    3.0
    """
    return _stopped(x)  # seen where the function itself is transformed: `tp.vmap(tp.stop_gradient)`


def _stopped(x: Any) -> Any:
    return x


for _public in (stop_gradient, _stopped):
    means(_public, lambda ev, x: ev.customs.stopped(x))

only_outside(primitive, 'rules are given once, before', 'make the function with a rule outside')
