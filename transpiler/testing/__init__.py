"""Checks of derivatives, batches and compiled code, for tests of one's own functions."""
from transpiler.testing.agreement import check_jit, check_vmap
from transpiler.testing.compare import Comparison, compare_gradients
from transpiler.testing.grads import check_grads

__all__ = ['Comparison', 'check_grads', 'check_jit', 'check_vmap', 'compare_gradients']
