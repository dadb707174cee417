"""Compiled functions: NumPy's scalars, cached on disk, refused in a line or two, exceptions as Python raises them."""
import subprocess
import sys
from collections import OrderedDict

import numpy as np
import pytest

from transpiler.backends import cache, numba_cpu, python
from transpiler.backends.python import annotate
from transpiler.errors import CompileError, Origin
from transpiler.source.writing.emit import Source
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
from transpiler.source.writing.emit import Source
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
    with pytest.raises(CompileError) as before:
        function.prepare(np.ones(3))
    assert str(before.value) == message
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
with event.install_listener('numba:llvm_lock', Listener()):
    import transpiler
assert not seen, seen
assert threading.active_count() == 1
from transpiler_kernels.special import elementary
assert not seen, seen
event.register('numba:llvm_lock', Listener())
assert elementary.entr(1.0) == 0.0 and seen and not hasattr(elementary, 'no_such') and not hasattr(elementary, 'np_')
'''
    result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    assert not result.returncode, result.stderr


def test_one_text_is_compiled_once():
    """A lambda that is made anew in each step costs no machine code."""
    first, second = (numba_cpu.compile(Source(TEXT, {}, '', 'pick')) for _ in range(2))
    assert first.dispatcher is second.dispatcher
    assert numba_cpu.compile(Source(TEXT, {}, '', 'pick'), keep=False).dispatcher is not first.dispatcher


def test_modules_that_nobody_has_asked_for_lately_are_let_go(monkeypatch):
    """And one that is compiled for other types later has its name again: machine code is named after it."""
    monkeypatch.setattr(python, 'MANY', 1)
    monkeypatch.setattr(python, '_recent', OrderedDict())
    pick = numba_cpu.compile(Source(TEXT, {}, '', 'pick'))
    name = pick.dispatcher.py_func.__module__
    assert pick(np.ones(3), 1)[0] == 1.0 and name in sys.modules
    for k in range(3):
        numba_cpu.compile(Source(f'def f(x):\n    return x + {k}\n', {}, '', 'f'))
    assert name not in sys.modules
    assert pick(np.ones(3, 'float32'), 1)[0] == 1.0 and name in sys.modules
    assert {made.fndesc.modname for made in pick.dispatcher.overloads.values()} == {name}
