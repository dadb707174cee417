"""Derivatives of plain NumPy code, as plain NumPy code, compiled by Numba.

>>> import numpy as np
>>> import transpiler as tp
>>> @tp.grad
... def slope(x):
...     return np.sum(np.sin(x))
>>> slope(np.zeros(3))
array([1., 1., 1.])
"""

from transpiler import errors, testing
from transpiler.api import cache
from transpiler.api.calls.lowered import Lowered
from transpiler.api.calls.transformed import Transformed
from transpiler.api.checkpoints import checkpoint, checkpointed
from transpiler.api.custom import custom_jvp, custom_vjp, primitive, stop_gradient
from transpiler.api.explain import explain
from transpiler.api.forward import jvp
from transpiler.api.functions import grad, jit, value_and_grad, vmap
from transpiler.api.jacobians import hessian, hvp, jacfwd, jacobian, jacrev
from transpiler.api.lint import lint
from transpiler.api.precompile import precompile
from transpiler.api.pullbacks import linear_transpose, linearize, vjp
from transpiler.errors import TranspileError
from transpiler.rules.base.policies import equal_eigenvalues
from transpiler.source.reading.texts import from_source

__version__ = '0.1.0'

__all__ = [
    'Lowered',
    'Transformed',
    'TranspileError',
    'cache',
    'checkpoint',
    'checkpointed',
    'custom_jvp',
    'custom_vjp',
    'equal_eigenvalues',
    'errors',
    'explain',
    'from_source',
    'grad',
    'hessian',
    'hvp',
    'jacfwd',
    'jacobian',
    'jacrev',
    'jit',
    'jvp',
    'linear_transpose',
    'linearize',
    'lint',
    'precompile',
    'primitive',
    'stop_gradient',
    'testing',
    'value_and_grad',
    'vjp',
    'vmap',
]
