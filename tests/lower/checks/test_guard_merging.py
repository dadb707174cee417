"""Guards side by side are asked together: long programs compile in reasonable time, and errors keep their lines."""
import re

import numpy as np
import pytest

import transpiler as tp

A, B = np.arange(6.0), np.arange(6.0, 12.0)


def windows(x, y, k):
    first = x[k:] + y[k:]
    second = x[:-k] * y[1:]
    return np.sum(first) + np.sum(second)


def rolled(x, y):
    a = np.roll(x, 1) + np.roll(y, -1)
    b = np.roll(a, 2) * np.roll(y, 1)
    c = np.roll(b, 2) - np.roll(a, 1) * b
    return np.sum(a * b * c)


def test_values(mode):
    assert mode(rolled)(A, B) == pytest.approx(rolled(A, B), rel=1e-13)
    found, slope = mode(tp.value_and_grad(rolled))(A, B)
    assert found == pytest.approx(rolled(A, B), rel=1e-13)
    ahead = rolled(A + 1e-3, B) - rolled(A - 1e-3, B)
    assert np.sum(slope) == pytest.approx(ahead / 2e-3, rel=1e-6)


def shifted(x, y, n):
    total = 0.0
    for i in range(n):
        total += x[i] * y[i + 3] + x[i + 1]
    return total


def test_neighbours_are_one_question():
    f = tp.jit(shifted)
    text = f.lower(A, B, 2).loops
    assert text.count('raise Unproven') == 1 and re.search(r'^    if .* \| .*:$', text, re.M)
    for n in (0, 2, 3):
        assert f(A, B, n) == shifted(A, B, n)
    with pytest.raises(IndexError):
        f(A, B, 4)
    with pytest.raises(IndexError):
        f(A[:3], B, 3)


def test_every_guard_keeps_its_line():
    f = tp.jit(windows)
    assert f(A, B, 1) == windows(A, B, 1)
    for k in (2, 3):
        with pytest.raises(ValueError, match='broadcast') as failure:
            f(A, B, k)
        assert any('second = x[:-k] * y[1:]' in note for note in failure.value.__notes__)
    with pytest.raises(ValueError, match='broadcast') as failure:
        f(A, B[:-1], 1)
    assert any('first = x[k:] + y[k:]' in note for note in failure.value.__notes__)
