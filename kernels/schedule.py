"""When a long loop keeps its state, for compiled code."""
import numba

from kernels import arrays

next_snapshot = numba.njit(cache=True, nogil=True)(arrays.next_snapshot)
