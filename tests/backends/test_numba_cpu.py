"""Compiled functions: NumPy's scalars, cached on disk, refused in a line or two, exceptions as Python raises them."""
import subprocess
import sys

import numpy as np
import pytest

from transpiler.backends import cache, numba_cpu
from transpiler.backends.python import annotate
from transpiler.errors import CompileError, Origin
from transpiler.source.emit import Source
from transpiler.values.types import FLOAT, Array, Scalar

TEXT = '''import numpy as np

def pick(x, i):
    if i > 100:
        raise ValueError('too far')
    return x[i], x, 2.0 * np.float64(i)
'''
LINES = {k: Origin('model.py', 10 + k, 4, f'    line {k}') for k in range(3, 7)}
FLOAT32 = Scalar(np.dtype('float32'))

PROGRAM = f'''
import sys
import numpy as np
from transpiler.backends import numba_cpu
from transpiler.source.emit import Source
pick = numba_cpu.compile(Source({TEXT!r}, {{}}, '', 'pick'))
pick(np.ones(3), 1)
stats = pick.dispatcher.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
'''


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))


def test_results_have_the_scalar_types_of_numpy():
    pick = numba_cpu.compile(Source(TEXT, LINES, '', 'pick'), (FLOAT32, Array(np.dtype('float32'), (None,)), FLOAT))
    x = np.arange(3, dtype='float32')
    element, array, weak = pick(x, -1)
    assert type(element) is np.float32 and element == 2 and array is not None and type(weak) is float
    with pytest.raises(IndexError) as beyond:
        pick(x, 3)
    assert beyond.value.__notes__ == ['  File "model.py", line 13: line 3']
    with pytest.raises(ValueError, match='too far') as caught:
        pick(x, 101)
    annotate(caught.value, LINES, pick.dispatcher.py_func.__code__.co_filename)
    assert caught.value.__notes__ == ['  File "model.py", line 15: line 5']


def test_a_second_process_loads_instead_of_compiling():
    for expected in ('0 1', '1 0'):
        result = subprocess.run([sys.executable, '-c', PROGRAM], capture_output=True, text=True)
        assert (result.stdout.strip(), result.stderr) == (expected, '')


@pytest.mark.parametrize('statement, reason', [
    ('y = x.nothing', "Unknown attribute 'nothing' of type array(float64, 1d, C)"),
    ('y = np.linalg.cond(x)', 'np.linalg.cond() only supported on 2-D arrays'),
    ('y = np.gradient(x)', 'gradient'),
])
def test_a_refusal_names_the_line_and_the_reason(statement, reason):
    text = f'import numpy as np\n\ndef f(x):\n    {statement}\n    return y\n'
    function = numba_cpu.compile(Source(text, {4: Origin('model.py', 12, 4, f'    {statement}')}, '', 'f'))
    with pytest.raises(CompileError) as caught:
        function(np.ones(3))
    message = str(caught.value)
    assert message.startswith('model.py:12:4: Numba cannot compile') and reason in message
    assert len(message.splitlines()) <= 5, message


def test_an_import_compiles_nothing_and_starts_no_threads():
    program = '''
import threading
from numba.core import event
seen = []
class Listener(event.Listener):
    def on_start(self, told): seen.append(told.data)
    def on_end(self, told): pass
event.register('numba:compile', Listener())
event.register('numba:llvm_lock', Listener())
import transpiler
assert not seen, seen
assert threading.active_count() == 1
from kernels.special import elementary
assert not seen, seen
assert elementary.entr(1.0) == 0.0 and seen and not hasattr(elementary, 'no_such') and not hasattr(elementary, 'np_')
'''
    result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    assert not result.returncode, result.stderr
