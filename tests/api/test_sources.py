"""Where generated code lives, what it says of itself, and where user code may come from."""
import ast
import inspect
import linecache
import os
import pickle
import re
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from transpiler.stages import STAGES, TRANSFORM


def sum_logistic(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def annotated(x: 'float64[n, d]', y: 'float64[n]'):
    return np.sum(x * y[:, None])


def annotated_dict(params: {'w': 'float64[d]', 'b': 'float64'}, x: 'float64[d]'):
    return np.dot(params['w'], x) + params['b']


def test_source_after_a_call(mode):
    gradient = mode(tp.grad(sum_logistic))
    gradient(np.arange(3.0))
    text = gradient.source
    ast.parse(text)
    assert 'np.exp' in text and len(text.splitlines()) <= 14
    first = text.splitlines()[0]
    assert first.startswith('# grad of sum_logistic (test_sources.py:') and 'x: float64[' in first


def test_source_before_any_call():
    text = tp.grad(sum_logistic).source
    ast.parse(text)
    assert 'np.exp' in text and 'def ' in text


def test_source_with_a_default_before_any_call():
    def scaled(x, w=2.0):
        return np.sum(np.sin(x) * w) * 3.0

    ast.parse(tp.grad(scaled).source)       # of which dtype the cotangent is, nobody knows


def test_a_default_that_must_be_a_constant_before_any_call():
    def squares(x, axis=0, *, n=2):
        return np.sum(np.sum(x, axis=axis) ** n)

    assert 'np.sum(x, axis=0)' in tp.grad(squares).source and not tp.lint(squares).warnings


def test_a_loop_over_nobody_knows_what():
    with pytest.raises(tp.TranspileError, match='annotate the parameter'):
        tp.grad(lambda x: sum(v * v for v in x)).source


def test_source_from_annotations():
    text = tp.grad(annotated, argnums=(0, 1)).source
    ast.parse(text)
    assert 'float64[n, d]' in text and 'float64[n]' in text and 'unbroadcast' not in text
    text = tp.grad(annotated_dict).source
    ast.parse(text)
    assert 'unbroadcast' not in text


def test_source_follows_the_latest_specialisation():
    gradient = tp.grad(sum_logistic)
    gradient(np.arange(3.0))
    of_vector = gradient.source
    gradient(1.0)
    assert gradient.source != of_vector
    gradient(np.arange(5.0))
    assert gradient.source == of_vector


def test_source_runs_by_itself():
    gradient = tp.grad(sum_logistic)
    x = np.arange(3.0)
    expected = gradient(x)
    namespace = {}
    exec(gradient.source, namespace)
    functions = [value for value in namespace.values() if inspect.isfunction(value)]
    same(functions[-1](x), expected)


def test_source_is_the_same_in_every_process():
    program = ('import numpy as np, transpiler as tp; from tests.api.test_sources import sum_logistic as f;'
               'g = tp.grad(tp.grad(f)); g(1.0); print(g.source)')
    texts = {in_another_process(program, PYTHONHASHSEED=seed) for seed in ('1', '2')}
    assert len(texts) == 1


def test_cotangents_begin_in_the_same_order_in_every_process():
    program = ('import transpiler as tp; from tests.fuzz.dialects import DIALECTS\n'
               'for seed in range(6):\n'
               '    one = DIALECTS["rotations"].generate(seed)\n'
               '    print(tp.value_and_grad(tp.from_source(one.text)).lower(*one.calls[0]).source.split("\\n", 1)[1])')
    texts = {in_another_process(program, PYTHONHASHSEED=seed) for seed in ('0', '4', '5')}
    assert len(texts) == 1


def test_lower():
    x = np.arange(3.0)
    lowered = tp.grad(sum_logistic).lower(x)
    ast.parse(lowered.source)
    ast.parse(lowered.loops)
    assert 'def sum_logistic' in lowered.primal_source
    same(lowered.compile()(x), tp.grad(sum_logistic)(x))


def test_line_map():
    lowered = tp.grad(sum_logistic).lower(np.arange(3.0))
    generated = lowered.source.splitlines()
    first = inspect.getsourcelines(sum_logistic)[1]
    assert lowered.line_map and set(lowered.line_map) <= set(range(1, len(generated) + 1))
    assert set(lowered.line_map.values()) <= {first, first + 1}


def test_explain(mode):
    text = tp.explain(mode(tp.grad(sum_logistic)), np.arange(3.0))
    assert isinstance(text, str) and '-- grad' in text and 'np.exp' in text
    assert ('-- first call' in text) is mode.compiled


def test_explain_compiles_and_does_not_call():
    def filled(x):
        x[:] = 2.0
        return np.sum(x)
    x = np.ones(3)
    said = tp.explain(tp.jit(filled), x).split('-- first call')[1]
    seconds = dict(re.findall(r'(\w+) (\d+\.\d+)', said.splitlines()[1]))
    assert list(seconds) == list(STAGES) and float(seconds[TRANSFORM]) > 0.0
    assert x.tolist() == [1.0, 1.0, 1.0]


def test_the_generated_function_is_in_a_real_private_file():
    gradient = tp.grad(sum_logistic)
    gradient(np.arange(3.0))
    files = [path for path in Path(os.environ['TRANSPILER_CACHE_DIR']).rglob('*.py') if gradient.source in path.read_text()]
    assert files
    for path in files:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077
        assert not stat.S_IMODE(path.parent.stat().st_mode) & 0o077


def test_tracebacks_show_generated_code():
    def fails(x):
        return x[0] * x[7]
    with pytest.raises(IndexError) as caught:
        tp.grad(fails)(np.ones(3))
    frames = [frame.path for frame in caught.traceback]
    generated = [Path(str(path)) for path in frames if os.environ['TRANSPILER_CACHE_DIR'] in str(path)]
    assert generated and linecache.getline(str(generated[-1]), caught.traceback[-1].lineno + 1)


def in_another_process(program, **environment):
    root = Path(__file__).parents[2]
    result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, cwd=root,
                            env={**os.environ, **environment})
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_second_process_loads_what_the_first_compiled(tmp_path):
    program = ('import numpy as np, transpiler as tp; from tests.api.test_sources import sum_logistic as f;'
               'from numba.core import event\n'
               'with event.install_recorder("numba:compile") as compiled:\n'
               '    g = tp.jit(tp.grad(f)); result = g(np.arange(3.0))\n'
               'print(result.sum(), len(compiled.buffer))')
    first = in_another_process(program, TRANSPILER_CACHE_DIR=str(tmp_path)).split()
    second = in_another_process(program, TRANSPILER_CACHE_DIR=str(tmp_path)).split()
    assert first[0] == second[0]
    assert int(first[1]) > 0 and int(second[1]) == 0


TEXT = '''
import numpy as np

def cubed(x):
    return np.sum(x ** 3)
'''


def test_from_source(mode):
    same(mode(tp.grad(tp.from_source(TEXT)))(np.array([1.0, 2.0])), np.array([3.0, 12.0]))
    same(mode(tp.grad(tp.from_source(TEXT, 'cubed')))(2.0), 12.0)


def test_from_source_by_name():
    text = 'def first(x):\n    return x * x\n\ndef second(x):\n    return first(x) * x\n'
    same(tp.grad(tp.from_source(text, name='first'))(2.0), 4.0)
    same(tp.grad(tp.from_source(text, name='second'))(2.0), 12.0)
    with pytest.raises((ValueError, NameError, KeyError, AttributeError, tp.TranspileError)):
        tp.from_source(text, name='third')


def test_no_source(mode):
    namespace = {}
    exec('def hidden(x):\n    return x * x\n', namespace)
    with pytest.raises(tp.TranspileError, match='tp.from_source'):
        mode(tp.grad(namespace['hidden']))(2.0)


def test_executed_source_with_a_registered_text(mode):
    name = '<registered for a test>'
    linecache.cache[name] = (len(TEXT), None, TEXT.splitlines(keepends=True), name)
    namespace = {}
    exec(compile(TEXT, name, 'exec'), namespace)
    same(mode(tp.grad(namespace['cubed']))(2.0), 12.0)


def test_the_fence_speaks_before_any_code_is_generated():
    def generator(x):
        yield x
    with pytest.raises(SyntaxError, match='yield') as caught:
        tp.grad(generator)(1.0)
    line = inspect.getsourcelines(generator)[1] + 1
    assert f'test_sources.py:{line}:' in str(caught.value) and '^' in str(caught.value)


def test_the_fence_looks_into_helpers():
    def helper(x):
        with x:
            return x

    def f(x):
        return helper(x)
    with pytest.raises(tp.TranspileError, match='`with` is not supported'):
        tp.grad(f)(np.ones(3))


def test_errors_pickle():
    def generator(x):
        yield x
    with pytest.raises(tp.TranspileError) as caught:
        tp.grad(generator)(1.0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and type(again) is type(caught.value)


@pytest.mark.parametrize('f', [lambda x: x * 2.0, lambda x: np.exp(x), lambda x: (x, x)])
def test_the_result_must_be_a_scalar(mode, f):
    with pytest.raises(TypeError, match='scalar'):
        mode(tp.grad(f))(np.ones(3))


def test_a_result_of_none(mode):
    def nothing(x):
        x[0] = 1.0
    with pytest.raises(TypeError, match='scalar'):
        mode(tp.grad(nothing))(np.ones(3))


def test_an_unknown_function_is_refused_by_name(mode):
    with pytest.raises(tp.TranspileError, match='strange'):
        mode(tp.grad(lambda x: np.sum(np.lib.strange(x))))(np.ones(3))
    with pytest.raises(tp.TranspileError, match='lexsort'):
        mode(tp.grad(lambda x: np.sum(np.lexsort((x, x)))))(np.ones(3))


def test_print_runs_once(capsys):
    def talks(x):
        print('x is', x)
        return x * x
    same(tp.grad(talks)(2.0), 4.0)
    assert capsys.readouterr().out == 'x is 2.0\n'


def test_the_numbers_of_a_range_may_be_of_unknown_type():
    def f(x, n):
        return np.sum(x * np.arange(n + 1, 0, -1.0))
    assert 'numbers = np.arange(n + 1, 0, -1.0)' in tp.grad(f).source
