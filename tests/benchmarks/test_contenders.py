"""What is compared does the same: the rows as plain NumPy, and what is written by hand for Numba, run by Python."""
import numpy as np
import pytest

from benchmarks.contenders import in_numba
from benchmarks.contenders.ours import ROWS
from benchmarks.contenders.timing import disagreement


def test_every_row_is_written_by_hand():
    assert set(in_numba.CALLS) == set(ROWS)


@pytest.mark.parametrize('name', ROWS)
def test_written_by_hand(name):
    args = ROWS[name].at(ROWS[name].small)
    assert disagreement(ROWS[name].function(*args), in_numba.CALLS[name].py_func(*args)) is None


def test_disagreements_are_found():
    one = np.ones(3, np.float32)
    assert disagreement(one, one.astype(np.float64)) == 'float32[3] and float64[3]'
    assert 'differ' in disagreement(one, one * np.float32(1.01))
