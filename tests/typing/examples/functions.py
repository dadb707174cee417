# pyright: strict
"""What type checkers know of functions that are made of others."""
from collections.abc import Callable
from typing import Any

import numpy as np
from typing_extensions import assert_type

import transpiler as tp


def energy(x: float, n: int = 2) -> float:
    return x ** n


def doubled(x: float) -> float:
    return 2.0 * x


def with_aux(x: float) -> tuple[float, str]:
    return x * x, 'square'


# What a derivative gives has the structure of arguments, which argnums chooses: Any. What it takes is known.
slope = tp.grad(energy)
assert_type(slope(2.0, n=3), Any)
assert_type(tp.grad(energy, argnums=(0,))(2.0), Any)
assert_type(tp.grad(energy, 0, holomorphic=False)(2.0), Any)
assert_type(slope.lower(2.0).source, str)
taken: Callable[[float, int], Any] = slope
held: list[tp.Transformed[..., Any]] = [slope, tp.vmap(slope), tp.jit(energy)]

assert_type(tp.value_and_grad(energy)(2.0), tuple[float, Any])
assert_type(tp.value_and_grad(with_aux, has_aux=True)(2.0), tuple[tuple[float, str], Any])
assert_type(tp.value_and_grad(energy, argnums=0)(2.0, 3)[0], float)

for derivative in (tp.jacfwd, tp.jacrev, tp.jacobian, tp.hessian):
    assert_type(derivative(energy, argnums=0)(2.0, n=3), Any)
assert_type(tp.hvp(energy, (2.0, 2), (1.0, None)), Any)

# What keeps the function keeps its type.
compiled = tp.jit(energy, static_argnums=1, parallel=False)
assert_type(tp.checkpoint(energy)(2.0, n=3), float)
assert_type(tp.stop_gradient(2.0), float)


def run_compiled() -> None:
    assert_type(compiled(2.0, n=3), float)
    assert_type(tp.jit(tp.value_and_grad(energy))(2.0), tuple[float, Any])


# A batch takes arrays where the function takes numbers.
assert_type(tp.vmap(energy, in_axes=(0, None))(np.ones(3), 2), Any)

# Derivatives at a point
assert_type(tp.jvp(energy, (2.0,), (1.0,)), tuple[float, Any])
assert_type(tp.jvp(with_aux, (2.0,), (1.0,), has_aux=True), tuple[float, Any, str])
assert_type(tp.jvp(energy, argnums=(0,))(2.0, x_dot=1.0), tuple[Any, ...])

out, pullback = tp.vjp(energy, 2.0)
assert_type(out, float)
assert_type(pullback(1.0), tuple[Any, ...])
assert_type(pullback.primal_source, str)
assert_type(tp.vjp(with_aux, 2.0, has_aux=True)[2], str)

value, linear = tp.linearize(energy, 2.0)
assert_type(value, float)
assert_type(linear(1.0), Any)
assert_type(tp.linearize(with_aux, 2.0, has_aux=True)[2], str)
assert_type(tp.linear_transpose(doubled, 2.0)(1.0), tuple[Any, ...])

for t in tp.checkpointed(range(10), snapshots=3):
    assert_type(t, int)

# What looks at functions
assert_type(tp.explain(energy, 2.0, n=3), str)
assert_type([finding.kind for finding in tp.lint(energy, 2.0)], list[str])
text = tp.from_source('def double(x):\n    return 2.0 * x')
assert_type(text, Callable[..., Any])
assert_type(tp.value_and_grad(text)(2.0), tuple[Any, Any])
tp.testing.check_grads(energy, (2.0, 2), order=1)
tp.testing.check_vmap(doubled, (np.ones(3),))
assert_type(tp.testing.compare_gradients(doubled, (2.0,), (1.0,), (0,)).message, str)
with tp.equal_eigenvalues('raise'):
    assert_type(tp.cache.size(), int)
