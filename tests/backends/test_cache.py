"""The cache directory: private, atomic, verified, and safe for processes that race."""
import os
import shutil
import stat
import subprocess
import sys

import pytest

import transpiler as tp
from transpiler.backends import cache, python


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / 'cache'))
    return tmp_path / 'cache'


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_directory_and_files_are_private(home):
    path = cache.store('x = 1\n', 'loss')
    assert path.parent == home and path.read_text() == 'x = 1\n'
    assert mode(home) == 0o700 and mode(path) == 0o600


def test_same_text_is_written_once(home):
    first = cache.store('x = 1\n', 'loss')
    before = os.stat(first)
    assert cache.store('x = 1\n', 'loss') == first and os.stat(first).st_mtime_ns == before.st_mtime_ns
    assert cache.store('x = 2\n', 'loss') != first


@pytest.mark.parametrize('damage', [
    lambda path: path.write_text('x = 666\n'),
    lambda path: path.chmod(0o622),
    lambda path: (path.unlink(), path.symlink_to(os.devnull)),
])
def test_a_damaged_file_is_replaced(home, damage):
    path = cache.store('x = 1\n', 'loss')
    damage(path)
    assert cache.store('x = 1\n', 'loss') == path
    assert path.read_text() == 'x = 1\n' and mode(path) == 0o600 and not path.is_symlink()


def test_nothing_is_left_over_when_writing_fails(home, monkeypatch):
    cache.directory()
    monkeypatch.setattr(os, 'replace', lambda *_: (_ for _ in ()).throw(OSError('disk full')))
    path = cache.store('x = 1\n', 'loss')
    assert list(home.iterdir()) == [] and not path.exists()
    assert python.load('def f():\n    return 1 / 0\n', 'f').__name__ == 'f'


def test_a_place_that_cannot_be_used_gives_way_to_a_temporary_one(tmp_path, monkeypatch):
    blocked = tmp_path / 'file'
    blocked.write_text('')
    monkeypatch.setenv(cache.VARIABLE, str(blocked / 'cache'))
    path = cache.store('x = 1\n', 'loss')
    assert path.read_text() == 'x = 1\n' and mode(path.parent) == 0o700 and tmp_path not in path.parents


def test_a_directory_that_others_can_write_is_not_trusted(tmp_path, monkeypatch):
    shared = tmp_path / 'shared'
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv(cache.VARIABLE, str(shared))
    with pytest.warns(UserWarning, match='can be written by others'):
        assert cache.store('x = 1\n', 'loss').parent != shared
    assert list(shared.iterdir()) == [] and mode(shared) == 0o777


def test_default_follows_the_platform(tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    assert cache.directory() == tmp_path / 'transpiler'


def test_processes_race_for_one_name(home):
    program = ('from transpiler.backends import cache, python\n'
               'text = "def f():\\n    return 42\\n" + "# padding\\n" * 20000\n'
               'for _ in range(20):\n'
               '    path = cache.store(text, "f")\n'
               '    assert path.read_text() == text\n'
               'assert python.load(text, "f")() == 42\n')
    racers = [subprocess.Popen([sys.executable, '-c', program], stderr=subprocess.PIPE) for _ in range(3)]
    assert [(racer.communicate()[1], racer.returncode) for racer in racers] == [(b'', 0)] * 3


IN_THE_WAY = {
    'a folder': lambda path: path.mkdir(),
    'a full folder': lambda path: (path.mkdir(), (path / 'file').write_text('')),
    'a pipe': lambda path: os.mkfifo(path),
    'a link to itself': lambda path: path.symlink_to(path),
    'a link to nowhere': lambda path: path.symlink_to(path.with_name('nowhere') / 'at' / 'all'),
}


@pytest.mark.parametrize('what', IN_THE_WAY)
def test_what_stands_in_the_way_of_a_module(home, what):
    text = 'def f():\n    return 42\n'
    path = cache.store(text, 'f')
    path.unlink()
    IN_THE_WAY[what](path)
    found = cache.store(text, 'f')
    assert found.read_text() == text and mode(found) == 0o600 and python.load(text, 'f')() == 42
    tp.cache.clear()
    assert tp.cache.size() == 0


def test_a_folder_that_has_gone(home):
    path = cache.store('x = 1\n', 'f')
    shutil.rmtree(home)
    assert cache.store('x = 1\n', 'f').read_text() == 'x = 1\n' and not path.exists()


def test_a_home_that_does_not_exist_is_not_made(tmp_path, monkeypatch):
    for name in (cache.VARIABLE, 'XDG_CACHE_HOME'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(tmp_path / 'nowhere'))
    assert cache.directory().is_dir() and tmp_path not in cache.directory().parents and not (tmp_path / 'nowhere').exists()


FULL = '''
import errno, os, sys, tempfile
def full(*args, **options):
    raise OSError(errno.ENOSPC, 'No space left on device')
for module, name in {places}:
    setattr(sys.modules[module], name, full)
import numpy as np
import transpiler as tp
f = tp.from_source('import numpy as np\\n\\ndef f(x, k):\\n    return np.sum(x * x) / x[k]\\n')
x = np.ones(3)
for slope in (tp.grad(f), tp.jit(tp.grad(f))):
    assert np.array_equal(slope(x, 0), [-1.0, 2.0, 2.0])
    try:
        slope(x, 7)
    except IndexError as error:
        assert 'return np.sum(x * x) / x[k]' in error.__notes__[0], error.__notes__
    else:
        raise AssertionError
assert tp.cache.size() == 0
'''


NO_ROOM = [('tempfile', 'mkstemp'), ('tempfile', 'mkdtemp'), ('tempfile', 'TemporaryFile')]


@pytest.mark.parametrize('places', [[('os', 'replace')], NO_ROOM], ids=['a full disk', 'no room at all'])
def test_nothing_can_be_written(home, places):
    program = FULL.replace('{places}', repr(places))
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
