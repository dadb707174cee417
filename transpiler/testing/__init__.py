"""Checks of derivatives, batches and compiled code, for tests of one's own functions."""
from transpiler.api.calls.nested import only_outside
from transpiler.testing.agreement import check_jit, check_vmap
from transpiler.testing.compare import Comparison, compare_gradients
from transpiler.testing.grads import check_grads

for _public in (check_grads, check_jit, check_vmap, compare_gradients):
    only_outside(_public, 'it checks functions, and computes nothing that a program could go on with')

__all__ = ['Comparison', 'check_grads', 'check_jit', 'check_vmap', 'compare_gradients']
