"""Checks of derivatives against finite differences, for tests of one's own functions."""
from transpiler.testing.compare import Comparison, compare_gradients
from transpiler.testing.grads import check_grads

__all__ = ['Comparison', 'check_grads', 'compare_gradients']
