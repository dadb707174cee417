# pyright: strict
"""What type checkers know of functions that are decorated."""
import math
from typing import Any

import numpy as np
from typing_extensions import assert_type

import transpiler as tp


@tp.value_and_grad
def plain(x: float, n: int = 2) -> float:
    return x ** n


@tp.value_and_grad(argnums=(0,))
def with_options(x: float, n: int = 2) -> float:
    return x ** n


@tp.vmap(in_axes=(0, None))
@tp.grad
def on_each(x: float, factor: float) -> float:
    return factor * x


@tp.jvp(argnums=(0, 1))
def forward(x: float, y: float) -> float:
    return x * y


@tp.jit
def fast(x: float) -> float:
    return 2.0 * x


@tp.jit(fastmath=True)
@tp.value_and_grad
def fast_slope(x: float) -> float:
    return x * x


@tp.checkpoint
def layer(x: float) -> float:
    return math.sin(x)


assert_type(plain(2.0, n=3), tuple[float, Any])
assert_type(with_options(2.0, 3), tuple[float, Any])
assert_type(on_each(np.ones(2), 3.0), Any)
assert_type(forward(2.0, 3.0, x_dot=1.0, y_dot=0.0), tuple[Any, ...])
assert_type(layer(2.0), float)


def run_compiled() -> None:
    assert_type(fast(2.0), float)
    assert_type(fast_slope(2.0), tuple[float, Any])


class Model:
    scale = 3.0

    @tp.value_and_grad(argnums=1)
    def loss(self, x: float) -> float:
        return self.scale * x


assert_type(Model().loss(2.0), tuple[float, Any])
assert_type(Model.loss(Model(), 2.0), tuple[float, Any])


@tp.custom_vjp
def clipped(x: float) -> float:
    return x


def forwards(x: float) -> tuple[float, None]:
    return x, None


def backwards(_: None, x_bar: float) -> tuple[float]:
    return max(-1.0, min(x_bar, 1.0)),


clipped.defvjp(forwards, backwards)
assert_type(clipped(2.0), float)


@tp.custom_jvp
def power(x: float, n: int) -> float:
    return x ** n


@power.defjvp
def power_rule(primals: tuple[float, int], tangents: tuple[float, None]) -> tuple[float, float]:
    x, n = primals
    return power(x, n), n * x ** (n - 1) * tangents[0]


assert_type(power(2.0, n=3), float)
assert_type(power_rule((2.0, 3), (1.0, None)), tuple[float, float])

erf = tp.primitive(math.erf)


@tp.primitive(result='x', derivative='finite differences')
def box(x: float) -> float:
    return math.gamma(x)


assert_type(box(x=3.0), float)
