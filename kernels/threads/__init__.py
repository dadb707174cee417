"""Iterations of a loop shared among threads: `in_parts` runs a function on one range of them after the other, several at a time.

The threads are this package's own: they sleep in compiled code, outside of Python, are few (`NUMBA_NUM_THREADS` in all, with the
caller), and serve one loop at a time. A loop that finds them busy, with another caller's loop or with the one around it, runs its
parts by itself: the parts are the same, and so are the results. A process that was forked has no such threads, and does the same.
"""
from transpiler_kernels.threads.parts import in_parts, in_parts_sharing, most_parts, parts_of

__all__ = ['in_parts', 'in_parts_sharing', 'most_parts', 'parts_of']
