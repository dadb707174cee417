"""What is kept on disk: found by the next process, thrown away on request, made anew where it is damaged."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

import transpiler as tp
from transpiler.backends import cache

X = np.array([1.0, 2.0, 3.0])
SCRIPT = """
import numpy as np, transpiler as tp
f = tp.jit(tp.grad(tp.from_source('import numpy as np\\ndef f(x): return np.sum(np.exp(x) * x)')){options})
print(f(np.zeros(3)).tolist(), sum(f.lower(np.zeros(3)).specialisation._flat.compiled.dispatcher.stats.cache_hits.values()))
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path


def run(options=''):
    found = subprocess.run([sys.executable, '-c', SCRIPT.format(options=options)], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0 and not found.stderr, found.stderr
    return found.stdout.strip()


def test_where_and_how_much(home):
    (home / 'notes.py').write_text('# not ours')
    assert tp.cache.where() == home and tp.cache.size() == 0
    f = tp.jit(lambda x: 2.0 * x)
    f(X)
    assert tp.cache.size() > 1000
    tp.cache.clear()
    assert tp.cache.size() == 0 and (home / 'notes.py').exists()
    assert np.array_equal(f(X), 2.0 * X) and np.array_equal(tp.jit(lambda x: 3.0 * x)(X), 3.0 * X)


def test_the_next_process_finds_it(home):
    assert [run(), run()] == ['[1.0, 1.0, 1.0] 0', '[1.0, 1.0, 1.0] 1']
    tp.cache.clear()
    assert run() == '[1.0, 1.0, 1.0] 0'


def test_nothing_is_kept(home):
    assert [run(', cache=False'), run(', cache=False')] == ['[1.0, 1.0, 1.0] 0'] * 2
    assert not list(home.glob('__pycache__/*.nbc'))


@pytest.fixture(scope='module')
def kept(tmp_path_factory):
    """What one process has kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(tmp_path_factory.mktemp('kept')))
        assert run() == '[1.0, 1.0, 1.0] 0'
        return cache.directory()


@pytest.mark.parametrize('kind', ['nbi', 'nbc'])
@pytest.mark.parametrize('content', [b'', b'\x80nothing that can be read', None])
def test_what_is_damaged_is_made_anew(home, kept, kind, content):
    shutil.copytree(kept, home, dirs_exist_ok=True)
    files = list(home.glob(f'__pycache__/*.{kind}'))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:-40] if content is None else content)
    assert [run(), run()] == ['[1.0, 1.0, 1.0] 0', '[1.0, 1.0, 1.0] 1']


def test_where_numba_keeps_other_functions_does_not_matter(home, tmp_path_factory, monkeypatch):
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path_factory.mktemp('others')))
    assert [run(), run()] == ['[1.0, 1.0, 1.0] 0', '[1.0, 1.0, 1.0] 1']
    assert list(home.glob('__pycache__/*.nbc'))
    tp.cache.clear()
    assert run() == '[1.0, 1.0, 1.0] 0'
