"""Loops that Ctrl-C ends: compiled code looks, now and then, whether Python has a signal to handle.

`looking.py` is the look itself, `cfg.py` and `loops.py` put it into the loops of a module that LLVM has optimised, so that no
optimisation sees it, and `library.py` has Numba do so.
"""
from transpiler_kernels.interrupts.library import Interruptible, LookingLibrary, ready

__all__ = ['Interruptible', 'LookingLibrary', 'ready']
