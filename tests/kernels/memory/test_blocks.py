"""Memory of large arrays: kept for the next ones, and never anybody else's while somebody looks at it."""
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

import transpiler as tp
from transpiler_kernels.memory import blocks
from transpiler_kernels.memory.allocation import LARGE, empty

SIZE = LARGE // 8 + 1000


@pytest.fixture(autouse=True)
def nothing_kept():
    """Each test begins with empty places: what lay there is left to the end of the process."""
    blocks._kept[:blocks.PLACES] = 0
    most = blocks._kept[blocks.PLACES]
    yield
    blocks._kept[blocks.PLACES] = most


@numba.njit(nogil=True)
def filled(size, value):
    made = empty((size,), np.float64)
    made[:] = value
    return made


def test_memory_of_an_array_that_is_gone_is_used_again():
    address = filled(SIZE, 1.0).ctypes.data
    again = filled(SIZE - 1, 2.0)
    assert again.ctypes.data == address and address % blocks.UNIT == 0
    assert np.all(again == 2.0)


def test_memory_of_a_view_is_not():
    view = filled(SIZE, 1.0)[5:]
    other = filled(SIZE, 2.0)
    assert np.all(view == 1.0) and np.all(other == 2.0)


def test_other_sizes_have_blocks_of_their_own():
    address = filled(SIZE, 1.0).ctypes.data
    other = filled(3 * SIZE, 2.0).ctypes.data
    assert other != address
    assert filled(SIZE, 1.0).ctypes.data == address and filled(3 * SIZE, 2.0).ctypes.data == other


def test_no_more_is_kept_than_allowed():
    units = -(-8 * SIZE // blocks.UNIT)
    blocks._kept[blocks.PLACES] = 2 * units
    arrays = [filled(SIZE, float(k)) for k in range(5)]
    del arrays
    assert 0 < sum(blocks._kept[:blocks.PLACES] % blocks.UNIT) <= 2 * units
    filled(4 * SIZE, 0.0)
    assert sum(blocks._kept[:blocks.PLACES]) == 0


def test_results_of_compiled_functions():
    x = np.linspace(0.0, 1.0, SIZE)
    double = tp.jit(lambda x: x + x)
    double(x[:3])       # what a call that compiles gives may be held for a while by frames that Numba caught errors in
    first, second = double(x), double(x + 1.0)
    address = first.ctypes.data
    assert np.array_equal(first, x + x) and np.array_equal(second, x + 1.0 + (x + 1.0))
    del first
    assert double(x).ctypes.data == address


def test_arrays_of_several_kinds():
    @numba.njit
    def several(n):
        return empty((n, 2), np.complex128), empty((2, n), np.bool_), empty((n,), np.float32)
    for array, kind in zip(several(SIZE), (np.complex128, np.bool_, np.float32)):
        array[...] = 1
        assert array.dtype == kind and array.flags.c_contiguous and array.all()


def test_threads_do_not_share():
    def work(number):
        for turn in range(50):
            mine = filled(SIZE + 300_000 * (turn % 3), number + turn)
            if not np.all(mine == number + turn):
                return False
        return True
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(0, 8000, 1000)))
