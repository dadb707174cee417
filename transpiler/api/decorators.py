"""Functions for use as `@grad` and as `@grad(argnums=1)`: what they do, and what type checkers know of what they give.

A checker knows the parameters of what is made, and its result where that is the result of `f`. The structure of a derivative,
and the axes of a batch, follow from values: they are `Any`. The options `O` in a protocol are those of the decorated function.
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, overload

from transpiler.api.calls.transformed import P, R, Transformed
from transpiler.arguments.asked import asked, told
from transpiler.arguments.kinds import OPTIONS

O = ParamSpec('O')


def decorator(make: Callable[..., Any]) -> Any:
    """Let `make(f, **options)` be used as `@make` and as `@make(**options)`, and ask what it is given."""
    made, signature = asked(make), inspect.signature(make)

    @functools.wraps(make)
    def public(f: Callable | None = None, *args, **options):
        if f is None:
            given_already = signature.bind_partial(None, *args, **options).arguments
            return functools.partial(public, **told(OPTIONS, {k: v for k, v in given_already.items() if k != 'f'}))
        return made(f, *args, **options)

    return public


class Derivative(Protocol[O]):
    """Gives a function that takes what `f` takes."""

    @overload
    def __call__(self, f: Callable[P, Any], *args: O.args, **options: O.kwargs) -> Transformed[P, Any]: ...

    @overload
    def __call__(
        self, f: None = None, *args: O.args, **options: O.kwargs
    ) -> Callable[[Callable[P, Any]], Transformed[P, Any]]: ...


class ValueAndDerivative(Protocol[O]):
    """Gives a function that takes what `f` takes, and gives what `f` gives beside a derivative."""

    @overload
    def __call__(self, f: Callable[P, R], *args: O.args, **options: O.kwargs) -> Transformed[P, tuple[R, Any]]: ...

    @overload
    def __call__(
        self, f: None = None, *args: O.args, **options: O.kwargs
    ) -> Callable[[Callable[P, R]], Transformed[P, tuple[R, Any]]]: ...


class SameFunction(Protocol[O]):
    """Gives a function that takes and gives what `f` does."""

    @overload
    def __call__(self, f: Callable[P, R], *args: O.args, **options: O.kwargs) -> Transformed[P, R]: ...

    @overload
    def __call__(
        self, f: None = None, *args: O.args, **options: O.kwargs
    ) -> Callable[[Callable[P, R]], Transformed[P, R]]: ...


class Batch(Protocol[O]):
    """Gives a function of as many arguments as `f` has, with other axes."""

    @overload
    def __call__(self, f: Callable[..., Any], *args: O.args, **options: O.kwargs) -> Transformed[..., Any]: ...

    @overload
    def __call__(
        self, f: None = None, *args: O.args, **options: O.kwargs
    ) -> Callable[[Callable[..., Any]], Transformed[..., Any]]: ...


def to_derivative(make: Callable[Concatenate[Any, O], Any]) -> Derivative[O]:
    return decorator(make)


def to_value_and_derivative(make: Callable[Concatenate[Any, O], Any]) -> ValueAndDerivative[O]:
    return decorator(make)


def to_same_function(make: Callable[Concatenate[Any, O], Any]) -> SameFunction[O]:
    return decorator(make)


def to_batch(make: Callable[Concatenate[Any, O], Any]) -> Batch[O]:
    return decorator(make)
