"""Where an index finds its element, in compiled code as in Python."""
import numba
import numpy as np
import pytest

from transpiler_kernels.memory.indices import is_beyond, position

SIZES = 0, 1, 4, 2**40


@numba.njit
def compiled(index, size):
    place = position(index, size)
    return place, is_beyond(place, size)


@pytest.mark.parametrize('index', [-2**63, -2**40, -5, -4, -1, 0, 3, 4, 5, 2**40, 2**63 - 1])
def test_every_index_counts_from_the_start_or_is_beyond(index):
    for size in SIZES:
        place, beyond = compiled(index, size)
        assert beyond == is_beyond(position(index, size), size) == (not -size <= index < size)
        assert beyond or place == position(index, size) == index % size


@pytest.mark.parametrize('kind', [np.int8, np.uint8, np.int32, np.uint32, np.uint64])
def test_indices_of_any_kind(kind):
    for index in 0, 3, 100, 101, 127:
        place, beyond = compiled(kind(index), 101)
        assert beyond == (index > 100) and (beyond or place == index)


def test_an_index_without_a_sign_counts_from_no_end():
    assert compiled(np.uint64(2**64 - 1), 101)[1]
    assert compiled(np.int8(-5), 101) == (96, False)


def test_constants():
    last = numba.njit(lambda size: position(-1, size))
    assert last(4) == 3
