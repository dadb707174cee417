"""The rows in JAX: the same text, with its own modules for `np` and `scipy`."""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy

jax.config.update('jax_enable_x64', True)


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled gradient of the same text in JAX."""
    modules = function.__globals__ | {'np': jnp, 'scipy': jax.scipy}
    compiled = jax.jit(jax.grad(types.FunctionType(function.__code__, modules)))
    return lambda *args: compiled(*args).block_until_ready()
