"""Loops whose iterations may run apart: which they are, what they cost, and how they are handed to several threads."""
from transpiler.lower.parallel.detection import tell_apart
from transpiler.lower.parallel.outlining import in_threads

__all__ = ['in_threads', 'tell_apart']
