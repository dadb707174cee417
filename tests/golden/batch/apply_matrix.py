# vmap of apply_matrix (test_batch.py:27), for mat: float64[n, m], v: float64[k, m]
import numpy as np


def apply_matrix_vmap(mat, v):
    return v @ mat.T
