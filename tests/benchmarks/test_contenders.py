"""What is compared does the same: the rows as plain NumPy, and what is written by hand for Numba, run by Python."""
import numpy as np
import pytest

from benchmarks.contenders import first_calls, in_numba
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


def test_first_calls_of_a_second_process_find_what_the_first_kept(tmp_path):
    ours, name = first_calls.WHO[0], 'logistic_grad'
    places = [str(tmp_path / kind) for kind in ('programs', 'kernels')]
    first = first_calls.in_new_process(ours, [name], *places)
    kept = sorted(path.name for path in tmp_path.rglob('*.nbc'))
    second = first_calls.in_new_process(ours, [name], *places)
    assert set(first) == set(second) == {name}
    assert {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob('*.nbc')} == {'programs', 'kernels'}
    assert kept == sorted(path.name for path in tmp_path.rglob('*.nbc'))


def test_first_calls_are_compared():
    ours = {('transpiler', kept): {'cube': seconds} for kept, seconds in (('nothing', 4.0), ('kernels', 2.0), ('all', 0.5))}
    calls = ours | {('JAX', 'nothing'): {'cube': 1.0}, ('JAX', 'all'): {'cube': 0.25}}
    assert first_calls.rows(calls) == {'cube': (4.0, 0.25, 2.0, 0.5, 0.5, 2.0, 0.5)}
