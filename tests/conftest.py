"""What every test may use: golden files, plain Python against compiled code, a cache of its own."""
from __future__ import annotations

import gc
import os
import shutil
import zlib
from collections import Counter
from pathlib import Path

import pytest

os.environ.setdefault('NUMBA_OPT', '1')  # read when Numba is imported: LLVM's optimiser takes longer than all the rest
# kernels that are made so are not for who runs them later: Numba's files do not say how well they are optimised
os.environ.setdefault('NUMBA_CACHE_DIR', str(Path(__file__).parents[1] / 'build' / 'machine_code' / 'kernels'))

from tests import machine_code  # noqa: E402
from tests.support import JIT, PLAIN, Mode  # noqa: E402
from transpiler_kernels.threads.pool import pool  # noqa: E402

gc.set_threshold(50_000, 20, 50)  # syntax trees are many small objects, and hardly any of them in cycles

CACHE = 'TRANSPILER_CACHE_DIR'
SLOWEST = 10    # files that are named at the end
SECONDS: Counter[str] = Counter()   # by file
collect_ignore_glob = ['golden/*', 'oracle/special_values.py']  # the latter needs JAX


def pytest_addoption(parser):
    parser.addoption('--update-golden', action='store_true', help='write what is generated into the golden files')
    parser.addoption('--share', type=int, default=1, help='of the tests that compile, run one in so many, always the same ones')
    parser.addoption('--anew', action='store_true', help='compile everything, whatever earlier runs have kept')


def pytest_configure(config):
    """One cache directory for all processes of a run: set before the workers start, which inherit it."""
    if CACHE in os.environ:
        return
    place = None if config.getoption('--anew') else machine_code.kept()
    if place is None:
        place = config.own_cache = machine_code.passing()
    os.environ[CACHE] = str(place)
    config.sets_cache = True


def pytest_unconfigure(config):
    if hasattr(config, 'own_cache'):
        shutil.rmtree(config.own_cache, ignore_errors=True)
    if hasattr(config, 'sets_cache'):
        del os.environ[CACHE]


def pytest_collection_modifyitems(config, items):
    """Compiling takes most of the time. Semantics show in plain Python, the rest in a share of the same programs, compiled."""
    if passing := [item.nodeid for item in items if ' at 0x' in item.nodeid]:
        raise pytest.UsageError(f'tests are called by addresses, which are others in every process: {passing[0]}')
    dropped = not_shared([item for item in items if _compiles(item)], config.getoption('--share'))
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        without = set(dropped)
        items[:] = [item for item in items if item not in without]


def not_shared(items, share: int) -> list:
    """All but one in so many; of a test that is marked at least one, since nothing else may try what it is about."""
    numbers = {item: zlib.crc32(item.nodeid.encode()) for item in items}
    first: dict[str, int] = {}
    for item in items:
        if 'compiles' in item.keywords:
            name = item.nodeid.partition('[')[0]
            first[name] = min(numbers[item], first.get(name, numbers[item]))
    return [item for item in items if numbers[item] % share and numbers[item] != first.get(item.nodeid.partition('[')[0])]


def pytest_runtest_logreport(report):
    SECONDS[report.nodeid.partition('::')[0]] += report.duration


def pytest_terminal_summary(terminalreporter):
    """The files of tests that took longest, all phases of all their tests together."""
    terminalreporter.section('slowest files')
    for path, seconds in SECONDS.most_common(SLOWEST):
        terminalreporter.write_line(f'{seconds:8.1f} s  {path}')


def _compiles(item) -> bool:
    spec = getattr(item, 'callspec', None)
    return spec is not None and ('compiles' in item.keywords or spec.params.get('mode') in ('jit', JIT))


@pytest.fixture(scope='session', autouse=True)
def loops_in_parts():
    """Loops that may be shared among threads are, however short they are."""
    pool.set_grain(1)


@pytest.fixture(params=['python', 'jit'])
def mode(request) -> Mode:
    """Runs a test twice: `mode(tp.grad(f))` is the generated Python, then the same compiled."""
    return JIT if request.param == 'jit' else PLAIN


@pytest.fixture
def golden(request):
    """`golden(path, text)` compares with the file, or writes it under `--update-golden`."""
    def compare(path: Path, text: str) -> None:
        if request.config.getoption('--update-golden'):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert path.exists(), f'{path.name} does not exist; run pytest --update-golden and review it'
        assert text == path.read_text()
    return compare
