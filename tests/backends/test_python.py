"""Generated text as an importable module, and notes that name the user's line."""
import inspect
import pickle
import subprocess
import sys
import traceback

import pytest

from transpiler.backends import cache, python
from transpiler.errors import Origin

TEXT = '''def quotient(x, y):
    # a comment
    z = (x
         / y)
    return z
'''
LINES = {1: Origin('model.py', 10, 0, 'def quotient(x, y):'), 3: Origin('model.py', 12, 4, '    z = x / y')}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path


def test_the_function_lives_in_a_real_file(home):
    quotient = python.load(TEXT, 'quotient')
    assert quotient(6, 3) == 2
    assert inspect.getsource(quotient) == TEXT
    assert inspect.getsourcefile(quotient).startswith(str(home))
    assert python.load(TEXT, 'quotient') is quotient


def test_a_file_that_went_away_is_written_again(home):
    first = python.load(TEXT, 'quotient')
    cache.store(TEXT, 'quotient').unlink()
    assert inspect.getsource(python.load(TEXT, 'quotient')) == TEXT
    assert first(6, 3) == 2


def test_the_next_process_imports_it_by_name(home):
    pickled = pickle.dumps(python.load(TEXT, 'quotient'))
    program = f'import pickle; print(pickle.loads({pickled!r})(6, 3))'
    result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ('2.0\n', '')


def test_an_exception_names_the_line_of_the_user():
    quotient = python.load(TEXT, 'quotient')
    with pytest.raises(ZeroDivisionError) as caught:
        quotient(1, 0)
    error = caught.value
    file = quotient.__code__.co_filename
    assert python.annotate(error, LINES, file) is error and type(error) is ZeroDivisionError
    python.annotate(error, LINES, file)
    assert error.__notes__ == ['  File "model.py", line 12: z = x / y']
    if sys.version_info >= (3, 11):
        assert '  File "model.py", line 12: z = x / y' in ''.join(traceback.format_exception(error))


def test_an_exception_from_elsewhere_is_left_alone():
    try:
        raise ValueError('not generated')
    except ValueError as error:
        assert not hasattr(python.annotate(error, LINES, 'other.py'), '__notes__')
