"""When a long loop keeps its state, for compiled code."""

from kernels import arrays
from kernels.compiled import kernel

next_snapshot = kernel()(arrays.next_snapshot)
