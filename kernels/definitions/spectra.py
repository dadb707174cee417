"""Functions of a matrix that is not symmetric; those of real numbers are looked at: they must be real numbers."""
import numpy as np

from transpiler_kernels import arrays


def eigvals(a):
    values = np.linalg.eigvals(a)
    return values if np.iscomplexobj(a) else arrays.still_real(values)


def eig(a):
    found = np.linalg.eig(a)
    if np.iscomplexobj(a):
        return found
    values, vectors = found
    return arrays.still_real(values), arrays.still_real(vectors)
