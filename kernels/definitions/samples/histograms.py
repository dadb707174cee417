"""Counting what falls between edges."""
import numpy as np


def histogram_bin_edges(a, bins=10, range=None):
    if isinstance(bins, str):
        raise RuntimeError('ways to choose the bins are not supported: give how many there are, or their edges')
    if np.ndim(bins) > 1:
        raise ValueError('`bins` must be 1d, when an array')
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError('`bins` must increase monotonically, when an array')
        return edges
    if bins < 1:
        raise ValueError('`bins` must be positive, when an integer')
    if range is not None:
        first, last = range[0] + 0.0, range[1] + 0.0
        if first > last:
            raise ValueError('max must be larger than min in range parameter.')
    elif a.size == 0:
        first, last = 0.0, 1.0
    else:
        first, last = np.min(a) + 0.0, np.max(a) + 0.0
    if not last - first < np.inf:
        raise ValueError('the range is not finite')
    if first == last:
        first, last = first - 0.5, last + 0.5
    return np.linspace(first, last, bins + 1)


def histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None and weights.shape != a.shape:
        raise ValueError('weights should have the same shape as a.')
    edges, a = histogram_bin_edges(a, bins, range), np.ravel(a)
    inside = (a >= edges[0]) & (a <= edges[-1])
    if weights is None:
        counted = inside.astype(np.int64)
    else:
        counted = np.where(inside, np.ravel(weights), 0)
    hist = np.zeros(edges.size - 1, counted.dtype)
    # the last bin holds its right edge as well
    places = np.minimum(np.searchsorted(edges, a, side='right'), edges.size - 1) - 1
    np.add.at(hist, np.maximum(places, 0), counted)
    return (hist / (edges[1:] - edges[:-1]).astype(np.float64) / np.sum(hist) if density else hist), edges
