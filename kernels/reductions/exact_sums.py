"""Sums that are rounded once, as `math.fsum` has them."""
import numpy as np

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty

PARTS = 32  # at first


@kernel()
def rounded_once(x):
    """The sum of a vector of floats, whatever cancels; where it is not finite, the sum in order.

    >>> rounded_once(np.array([1e16, 1.0, 1e-8, -1e16])), rounded_once(np.array([0.1] * 10))
    (1.00000001, 1.0)
    """
    parts = empty(PARTS, np.float64)
    count = 0
    for item in x:
        if count == parts.size:
            parts = np.append(parts, parts)
        rest = item
        kept = 0
        for k in range(count):
            part = parts[k]
            if abs(rest) < abs(part):
                rest, part = part, rest
            total = rest + part
            lost = part - (total - rest)
            if lost != 0.0:
                parts[kept] = lost
                kept += 1
            rest = total
        if not np.isfinite(rest):
            return _in_order(x)
        parts[kept] = rest
        count = kept + 1
    return _added(parts, count)


@kernel()
def _in_order(x):
    total = 0.0
    for item in x:
        total += item
    return total


@kernel()
def _added(parts, count):
    """The sum of parts that do not overlap, the smallest first; half-way between two numbers, the next part decides."""
    total, lost, k = 0.0, 0.0, count
    while k > 0 and lost == 0.0:
        k -= 1
        before = total
        total = before + parts[k]
        lost = parts[k] - (total - before)
    if k > 0 and lost * np.sign(parts[k - 1]) > 0.0:
        beyond = total + 2.0 * lost
        if 2.0 * lost == beyond - total:
            return beyond
    return total
