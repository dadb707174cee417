"""`docs/security.md`, sentence by sentence: what is read and written, and by whom it must be writable. (`tests/cli/test_shell.py`
has what is run.)"""
import os
import py_compile
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from transpiler.backends import cache
from transpiler_kernels.machine import private
from transpiler_kernels.machine.kept import SealedFiles

PROGRAM = '''
import os, sys
os.umask(int(sys.argv[1], 8))
import transpiler as tp
f = tp.from_source('def f(x):\\n    return x * x + 1\\n')
print(tp.jit(tp.grad(f))(2.0), tp.grad(f)(2.0))
'''
NOBODY = 65534


def run(folder, umask='022'):
    done = subprocess.run([sys.executable, '-c', PROGRAM, umask], capture_output=True, text=True, timeout=120,
                          env={**os.environ, cache.VARIABLE: str(folder)})
    assert done.returncode == 0, done.stderr
    assert done.stdout == '4.0 4.0\n'
    return done.stderr


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A cache folder with one program in it, made where the umask hides nothing."""
    folder = tmp_path_factory.mktemp('home') / 'some' / 'cache'
    assert run(folder, '000') == ''
    return folder


@pytest.fixture
def kept(made, tmp_path):
    """A copy of it."""
    subprocess.run(['cp', '-rp', made, tmp_path / 'cache'], check=True)
    return tmp_path / 'cache'


def machine_code(folder):
    return sorted(p for p in folder.rglob('*') if p.suffix in ('.nbi', '.nbc'))


def test_modes_do_not_depend_on_the_umask(made, tmp_path):
    assert machine_code(made) and not list(made.rglob('*.pyc'))
    for path in (made.parent, made, *made.rglob('*')):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    assert private.folder(tmp_path / 'a' / 'b') and mode(tmp_path / 'a') == mode(tmp_path / 'a' / 'b') == 0o700


UNSEALED = '''
from numba.core import caching
def refuse(self, *args):
    raise AssertionError('machine code without a seal')
caching.IndexDataCacheFile.load = caching.IndexDataCacheFile.save = refuse
'''


def test_all_machine_code_is_sealed_that_of_kernels_and_callbacks_too(tmp_path):
    places = {cache.VARIABLE: str(tmp_path / 'cache'), 'NUMBA_CACHE_DIR': str(tmp_path / 'kernels')}
    done = subprocess.run([sys.executable, '-c', UNSEALED + PROGRAM, '000'], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **places})
    assert done.stdout == '4.0 4.0\n', done.stderr
    assert {mode(path) for path in machine_code(tmp_path)} == {0o600}


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1:]


DAMAGE = {
    'empty': lambda path: path.write_bytes(b''),
    'cut off': lambda path: path.write_bytes(path.read_bytes()[:100]),
    'garbage': lambda path: path.write_bytes(b'\x80\x04garbage' * 100),
    'a flipped bit': lambda path: path.write_bytes(flipped(path.read_bytes())),
    'writable by others': lambda path: path.chmod(0o622),
    'a link': lambda path: (path.rename(path.with_suffix('.moved')), path.symlink_to(path.with_suffix('.moved'))),
    'a folder': lambda path: (path.unlink(), path.mkdir()),
    'missing': lambda path: path.unlink(),
}


@pytest.mark.parametrize('how', DAMAGE)
def test_what_is_damaged_is_made_anew(tmp_path, how):
    for suffix in ('nbi', '1.nbc'):
        files(tmp_path).save('key', 'code')
        DAMAGE[how](tmp_path / f'f.{suffix}')
        assert files(tmp_path).load('key') is None
        if how == 'a folder':
            (tmp_path / f'f.{suffix}').rmdir()
        files(tmp_path).save('key', 'code')
        assert files(tmp_path).load('key') == 'code'


def test_a_flipped_bit_harms_nothing(kept):
    for path in machine_code(kept):
        path.write_bytes(flipped(path.read_bytes()))
    assert run(kept) == '' and all(private.opened(private.read(path)) is not None for path in machine_code(kept))


class Harm:
    """Shows whether it has been unpickled."""

    def __reduce__(self):
        return Path.touch, (Path('harmed'),)


def files(folder, name='f', stamp='text'):
    return SealedFiles(str(folder), name, stamp)


def test_what_others_wrote_is_not_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files(tmp_path)._save_index({'key': 'f.1.nbc'})
    files(tmp_path)._write(str(tmp_path / 'f.1.nbc'), ('key', Harm()))
    for path in tmp_path.glob('f.*'):
        os.chmod(path, 0o666)
    assert files(tmp_path).load('key') is None
    for path in tmp_path.glob('f.*'):
        os.chmod(path, 0o600)
    if os.getuid() == 0:
        for path in tmp_path.glob('f.*'):
            os.chown(path, NOBODY, NOBODY)
        assert files(tmp_path).load('key') is None
    monkeypatch.setattr(os, 'getuid', lambda: 12345)  # as another user
    assert files(tmp_path).load('key') is None and not Path('harmed').exists()


def test_machine_code_is_taken_for_nothing_else(tmp_path):
    files(tmp_path).save('key', 'code')
    assert files(tmp_path).load('key') == 'code'
    assert files(tmp_path).load('other') is None and files(tmp_path, stamp='other text').load('key') is None
    os.rename(tmp_path / 'f.nbi', tmp_path / 'g.nbi')
    assert files(tmp_path, name='g').load('key') is None
    one, other = files(tmp_path), files(tmp_path)
    one._load_index = other._load_index = dict  # both begin when there is nothing
    one.save('key', 'code')
    other.save('other', 'other code')
    assert files(tmp_path).load('key') is None and files(tmp_path).load('other') == 'other code'


@pytest.mark.parametrize('around, own', [(0o755, 0o777), (0o755, 0o720), (0o777, 0o700)])
def test_folders_of_others_are_passed_over(tmp_path, monkeypatch, around, own):
    folder = tmp_path / 'around' / 'cache'
    folder.mkdir(parents=True)
    folder.chmod(own)
    folder.parent.chmod(around)
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    with pytest.warns(UserWarning, match='is passed over'):
        assert mode(cache.directory()) == 0o700 and cache.directory() != folder
    assert (mode(folder), mode(folder.parent), list(folder.iterdir())) == (own, around, [])


def test_folders_that_belong_to_others_are_passed_over(tmp_path, monkeypatch):
    assert private.folder(tmp_path / 'cache')
    monkeypatch.setattr(os, 'getuid', lambda: 12345)
    assert not private.folder(tmp_path / 'cache')


def test_sticky_folders_keep_what_lies_in_them(tmp_path):
    (tmp_path / 'shared').mkdir()
    for bits, safe in ((0o1777, True), (0o777, False), (0o755, True)):
        (tmp_path / 'shared').chmod(bits)
        assert private.folder(tmp_path / 'shared' / 'cache') == safe


def test_an_open_folder_of_machine_code_is_closed(tmp_path):
    (tmp_path / '__pycache__').mkdir()
    (tmp_path / '__pycache__').chmod(0o777)
    private.tightened(str(tmp_path / '__pycache__'))
    assert private.folder(tmp_path / '__pycache__') and mode(tmp_path / '__pycache__') == 0o755


def test_other_code_in_the_cache_is_not_run(kept):
    """Neither another text under the name, nor byte code that says it was made of that."""
    for path in kept.glob('*.py'):
        path.write_text('raise SystemExit("harmed")')
        py_compile.compile(str(path), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert list(kept.rglob('*.pyc')) and run(kept) == ''


def test_nothing_is_run_before_a_call():
    called = []

    def f(x: float):
        called.append(x)
        return x * x
    assert tp.grad(f) and tp.jit(f) and tp.vmap(f) and not called


def test_processes_share_a_folder(tmp_path):
    """Several write the same files at a time; one folder, right numbers."""
    racers = [subprocess.Popen([sys.executable, '-c', PROGRAM, '022'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, cache.VARIABLE: str(tmp_path / 'cache')}) for _ in range(3)]
    assert [racer.communicate() for racer in racers] == [('4.0 4.0\n', '')] * 3
    assert np.all([mode(path) in (0o600, 0o700) for path in (tmp_path / 'cache').rglob('*')])
