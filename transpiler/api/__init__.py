"""The public functions and what they return."""

from transpiler.api import cache
from transpiler.api.calls.lowered import Lowered
from transpiler.api.calls.transformed import Transformed
from transpiler.api.checkpoints import checkpoint, checkpointed
from transpiler.api.custom import custom_jvp, custom_vjp, primitive, stop_gradient
from transpiler.api.explain import explain
from transpiler.api.forward import jvp
from transpiler.api.functions import grad, jit, value_and_grad, vmap
from transpiler.api.jacobians import hessian, hvp, jacfwd, jacobian, jacrev
from transpiler.api.lint import Finding, Findings, lint
from transpiler.api.pullbacks import linear_transpose, linearize, vjp

__all__ = [
    'Finding', 'Findings', 'Lowered', 'Transformed', 'cache', 'checkpoint', 'checkpointed', 'custom_jvp', 'custom_vjp', 'explain',
    'grad', 'hessian', 'hvp', 'jacfwd', 'jacobian', 'jacrev', 'jit', 'jvp', 'linear_transpose', 'linearize', 'lint',
    'primitive', 'stop_gradient', 'value_and_grad', 'vjp', 'vmap',
]
