"""`transpile --precompile`: what is compiled, where it lies, and what the options may not say."""
import subprocess
import sys

import pytest

from transpiler.backends import cache

PROGRAM = '''"""Of the user, who runs it."""
import sys

import numpy as np
import transpiler as tp

print('run with', sys.argv[1:])


def loss(x: 'float64[n]', k: float = 2.0):
    return np.sum(x ** 3) * k


step = tp.jit(tp.grad(loss))
rows = tp.jit(tp.vmap(loss, in_axes=(0, None)))
size = 3


def plain(x):
    return 2.0 * x


def factorial(n: int):
    return 1.0 if n <= 0 else n * factorial(n - 1)
'''
USE = '''
import numpy as np, program
from transpiler import backends
from transpiler.stages import NUMBA
with backends.timing.timing() as clock:
    program.step(np.ones(7)); program.rows(np.ones((2, 3)), 4.0)
print(clock.times(NUMBA))
'''


@pytest.fixture(autouse=True)
def program(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / 'cache'))
    path = tmp_path / 'program.py'
    path.write_text(PROGRAM)
    return path


def test_the_module_is_run_to_compile_ahead(transpile, program):
    result = transpile(program, '--precompile', 'step', '--precompile', 'rows', '--args', 'rows: np.ones((5, 4)), 2.0')
    assert (result.status, result.err) == (0, '')
    assert result.out == f'run with []\n{program.parent / "cache"}: step, rows\n'
    done = subprocess.run([sys.executable, '-c', USE], cwd=program.parent, capture_output=True, text=True, timeout=120)
    assert (done.stdout.splitlines(), done.stderr) == (['run with []', '0'], '')
    assert not (program.parent / '__pycache__' / 'program.pyc').exists()


FAILURES = {
    'rows': (2, 'annotations do not say what this is called with; give `--args "rows: ..."`'),
    'size': (2, 'the module has no function of this name'), 'other': (2, 'the module has no function of this name'),
    'plain': (1, 'program.py:19:10: `plain` has no examples: the type of its parameter `x` is not known'),
    'factorial': (1, '`factorial` is compiled, but it is kept nowhere')}


@pytest.mark.parametrize('name', FAILURES)
def test_failures(transpile, program, name):
    status, message = FAILURES[name]
    result = transpile(program, '--precompile', name)
    assert result.status == status and message in result.err and result.out == 'run with []\n'


def test_arguments_that_do_not_fit(transpile, program):
    result = transpile(program, '--precompile', 'plain', '--args', '1.0, 2.0')
    assert result.status == 2 and '--precompile plain: TypeError: the arguments do not fit `plain(x)`' in result.err
    result = transpile(program, '--precompile', 'plain', '--args', '__import__("os").getcwd()')
    assert result.status == 2 and 'is not understood' in result.err and not result.out


def test_it_goes_with_arguments_alone(transpile, program):
    for options in (['--grad', 'loss'], ['-o', 'out.py'], ['--check'], ['--lint']):
        result = transpile(program, '--precompile', 'loss', *options)
        assert result.status == 2 and 'goes with --args alone' in result.err
