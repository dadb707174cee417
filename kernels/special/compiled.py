"""How a function of numbers becomes a ufunc for compiled code."""
import numba

from transpiler_kernels.machine.options import KEPT

ONE = ['float32(float32)', 'float64(float64)']  # said in advance: a loop for doubles would do for floats otherwise
TWO = ['float32(float32, float32)', 'float64(float64, float64)']
THREE = ['float32(float32, float32, float32)', 'float64(float64, float64, float64)']


def elementwise(signatures: list[str]):
    """Make a ufunc of a function of numbers, kept on disk."""
    return numba.vectorize(signatures, **KEPT)
