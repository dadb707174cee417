"""`check_grads`: the derivatives that the transpiler makes of a function, against finite differences, to any order."""
from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import optree

from transpiler.api.functions import grad, value_and_grad
from transpiler.api.jacobians import jacfwd
from transpiler.arguments.asked import asked
from transpiler.arguments.calls import bind_arguments
from transpiler.source.reading.decorated import signature_of
from transpiler.testing.compare import compare_gradients
from transpiler.testing.numeric import copied, is_inexact

MODES: dict[str, tuple[Callable, str]] = {'rev': (grad, 'reverse'), 'fwd': (jacfwd, 'forward')}


@asked
def check_grads(f: Callable[..., Any], args: Sequence[Any], order: int = 2, modes: Sequence[str] = ('fwd', 'rev'),
                rtol: float | None = None, atol: float | None = None) -> None:
    """Raise AssertionError unless the derivatives of `f` at `args`, up to `order`, agree with finite differences.

    `f` may return numbers, arrays or a pytree of them: they are weighted with fixed random numbers, large ones less, and summed.
    Arguments whose leaves are all floats are differentiated, the others are held. Each order is checked in every one of the
    `modes`, forward and reverse, applied to each that came before; by complex arguments in reverse mode only. The value that
    comes with a gradient is compared, too. Tolerances follow the dtype unless given. The message says which argument, which
    element, and by how much.

    >>> def energy(x, n): return np.sum(x ** n)
    >>> check_grads(energy, (np.array([1.0, 2.0]), 3), order=2)
    """
    bind_arguments(signature_of(f), getattr(f, '__name__', 'function'), args, {})
    if not modes:
        raise ValueError('there is nothing to check without a mode')
    for mode in modes:
        if mode not in MODES:
            raise ValueError(f'unknown mode {mode!r}: there are {", ".join(map(repr, MODES))}')
    leaves = [optree.tree_leaves(arg) for arg in args]
    argnums = tuple(k for k, own in enumerate(leaves) if own and all(map(is_inexact, own)))
    if not argnums:
        raise ValueError('no argument of floats to differentiate with respect to')
    if any(np.iscomplexobj(leaf) for k in argnums for leaf in leaves[k]):
        modes = [mode for mode in modes if mode == 'rev']
        if not modes:
            raise ValueError("derivatives by complex arguments are checked in reverse mode only: leave 'rev' among the modes")
    name, names = getattr(f, '__name__', 'function'), parameter_names(f)

    def check(f: Callable, before: tuple[str, ...]) -> None:
        scalar = _weighted_sum(f, args)
        for mode in modes:
            derivative, spoken = MODES[mode]
            path = (*before, spoken)
            gradient = derivative(scalar, argnums=argnums)
            if mode == 'rev':
                _compare_values(scalar, args, argnums, name)
            label = f'derivative {len(path)} of {name} ({" over ".join(reversed(path))} mode)'
            found = compare_gradients(scalar, gradient(*copied(tuple(args))), args, argnums, rtol=rtol, atol=atol, names=names,
                                      label=label)
            if found.mismatches:
                raise AssertionError(found.message)
            if len(path) < order:
                check(gradient, path)

    check(f, ())


def _compare_values(f: Callable, args: Sequence[Any], argnums: tuple[int, ...], name: str) -> None:
    """A rule may give another value than the function that it is for."""
    expected, (got, _) = f(*copied(tuple(args))), value_and_grad(f, argnums=argnums)(*copied(tuple(args)))
    if not np.allclose(got, expected, rtol=1e-5, equal_nan=True):
        raise AssertionError(f'the value that comes with the gradient of {name}\n  got      {got}\n  expected {expected}')


def parameter_names(f: Callable) -> list[str]:
    """The names of a function's parameters, or none if it does not tell."""
    try:
        return list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return []


def _weighted_sum(f: Callable, args: Sequence[Any]) -> Callable:
    """`f` followed by a fixed weighted sum of its results, written as source so that the transpiler can read it.

    A function whose result is one real number is returned as it is.
    """
    output = f(*copied(tuple(args)))
    leaves, structure = optree.tree_flatten(output)
    if optree.treespec_is_leaf(structure) and np.ndim(output) == 0 and np.asarray(output).dtype.kind == 'f':
        return f
    rng = np.random.default_rng(0)
    namespace: dict[str, Any] = {'function': f, 'np': np}
    terms = []
    for k, (accessor, leaf) in enumerate(zip(structure.accessors(), leaves)):
        if is_inexact(leaf):
            weights = rng.uniform(0.5, 1.5, np.shape(leaf)) / np.fmax(np.abs(leaf), 1.0)
            namespace[f'weights{k}'] = weights.astype(np.asarray(leaf).real.dtype) if np.ndim(leaf) else weights.item()
            value = accessor.codify('result')
            terms.append(f'np.sum({f"np.real({value})" if np.iscomplexobj(leaf) else value} * weights{k})')
    if not terms:
        raise ValueError('the function has no result of floats to differentiate')
    names = ', '.join(f'a{k}' for k in range(len(args)))
    text = f'def weighted_sum({names}):\n    result = function({names})\n    return {" + ".join(terms)}\n'
    return _defined(text, namespace)['weighted_sum']


def _defined(text: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run a text, with its source registered so that it can be read back."""
    filename = f'<weighted sum {len(linecache.cache)}>'
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, 'exec'), namespace)
    return namespace
