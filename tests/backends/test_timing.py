"""The stages inside Numba."""
import numba

from transpiler.backends.timing import timing
from transpiler.stages import CACHE, LLVM, NUMBA


def doubled(x):
    return 2.0 * x


def test_what_numba_compiles_is_timed_by_functions():
    inner = numba.njit(doubled)

    @numba.njit
    def outer(x):
        return inner(x) + inner(1)
    with timing() as clock:
        outer(1.0)
    assert set(clock.functions) == {'outer', 'doubled'} and clock.spent[NUMBA, 'doubled'].times == 2
    assert all(clock.spent[stage, name].seconds > 0.0 for stage in (NUMBA, LLVM) for name in clock.functions)
    assert clock.times(CACHE) == 0
    before = clock.times(NUMBA)
    outer(1)
    assert clock.times(NUMBA) == before
