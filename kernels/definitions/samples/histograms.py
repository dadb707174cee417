"""Counting what falls between edges."""
import numpy as np

from transpiler_kernels.arrays import equal_bins


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
    dtype = np.result_type(first, last, a)
    edges = np.linspace(first, last, bins + 1, dtype=dtype if np.issubdtype(dtype, np.inexact) else np.float64)
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError(f'Too many bins for data range. Cannot create {bins} finite-sized bins.')
    return edges


def histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None and weights.shape != a.shape:
        raise ValueError('weights should have the same shape as a.')
    edges, a = histogram_bin_edges(a, bins, range), np.ravel(a)
    places = equal_bins(a, edges) if np.ndim(bins) == 0 else bins_between(a, edges)
    if weights is None:
        hist = np.zeros(edges.size, np.int64)
        np.add.at(hist, places, 1)
    else:
        hist = np.zeros(edges.size, weights.dtype)
        np.add.at(hist, places, np.ravel(weights))
    hist = hist[:-1]
    return (hist / (edges[1:] - edges[:-1]).astype(np.float64) / np.sum(hist) if density else hist), edges


def bins_between(a, edges):
    """The bins of items, of which the last one holds its right edge as well; behind it, items that are in none."""
    last = edges.size - 2
    found = np.minimum(np.searchsorted(edges, a, side='right') - 1, last)
    return np.where((a >= edges[0]) & (a <= edges[-1]), found, last + 1)
