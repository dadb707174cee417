"""What every test may use: golden files, plain Python against compiled code, a cache of its own."""
from __future__ import annotations

import gc
import os
import shutil
import tempfile
import zlib
from collections import Counter
from pathlib import Path

import pytest

os.environ.setdefault('NUMBA_OPT', '1')  # read when Numba is imported: LLVM's optimiser takes longer than all the rest

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


def pytest_configure(config):
    """One cache directory for all processes of a run: set before the workers start, which inherit it."""
    if CACHE not in os.environ:
        os.environ[CACHE] = config.own_cache = tempfile.mkdtemp(prefix='transpiler-tests-')


def pytest_unconfigure(config):
    if hasattr(config, 'own_cache'):
        shutil.rmtree(config.own_cache, ignore_errors=True)
        del os.environ[CACHE]


def pytest_collection_modifyitems(config, items):
    """Compiling takes most of the time. Semantics show in plain Python, the rest in a share of the same programs, compiled."""
    if passing := [item.nodeid for item in items if ' at 0x' in item.nodeid]:
        raise pytest.UsageError(f'tests are called by addresses, which are others in every process: {passing[0]}')
    share = config.getoption('--share')
    dropped = [item for item in items if _compiles(item) and zlib.crc32(item.nodeid.encode()) % share]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        without = set(dropped)
        items[:] = [item for item in items if item not in without]


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
