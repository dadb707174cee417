"""Whatever file names, names and `--args` hold: the output runs none of it, is valid Python, and means what it says."""
import subprocess
import sys

import numpy as np
import pytest

import transpiler as tp
from transpiler.cli.check import import_text
from transpiler.cli.examples import evaluate_arguments
from transpiler.cli.requests import UsageError

HARM = 'open("harmed", "w").close()'
NAMES = [f'a\n{HARM}\n#.py', f'a\r{HARM}\r#.py', f'a\u2028{HARM}.py', f'a\x0c{HARM}.py', f'a\x85{HARM}.py', 'coding=utf-7.py',
         'coding: rot13.py', 'a\x1b[2J.py', 'b\udcff.py', '"""\\.py', "it's $(touch harmed) `touch harmed`.py"]
EVIL = ["np.__builtins__['__import__']('os').system('touch harmed')", '().__class__.__base__.__subclasses__()',
        '[x for x in (1,)]', 'lambda: 1', 'np.load("x.npy", allow_pickle=True)', 'np.fromfile("x")', '__import__("os")',
        'open("x")', 'print(1)', 'np.lib.format.open_memmap("x")', 'np.random.seed(0)', '9**9**9', '1.0)(2.0', '1.0) + (2.0',
        '(x := 1)', 'f"{1}"', 'np.vectorize(abs)(1)', 'np.ones(3).tofile("x")', 'np.ones(3).dump("x")', 'np.sin.__class__',
        '**{}', 'abs', 'np.pi.real.real()', 'np.random.default_rng(0).bit_generator', 'np.ones(2).ctypes',
        '"{0.__class__}".format(1)', 'np.array.__self__', '\0',
        '"a" * 10**10', '"%1000000000d" % 1', '[1.0] * 10**9', 'x=1.0, x=2.0']
DATA = {
    'np.ones(3), 2.0': (np.ones(3), 2.0),
    '-1, +2.5, ~3, not 1': (-1, 2.5, -4, False),
    '(1.0, [2, 3j])': ((1.0, [2, 3j]),),
    'np.array([\n 1.0, 2.0])': (np.array([1.0, 2.0]),),
    'np.float32(2), np.dtype("float32")': (np.float32(2), np.dtype('float32')),
    'np.arange(6.0).reshape(2, 3).T[0]': (np.array([0.0, 3.0]),),
    'np.random.default_rng(0).normal(size=2)': (np.random.default_rng(0).normal(size=2),),
    'np.linspace(0, np.pi, 3) * 2': (np.linspace(0, np.pi, 3) * 2,),
    'np.full((2, 2), np.inf)': (np.full((2, 2), np.inf),),
    'np.eye(2).astype(np.float32)': (np.eye(2, dtype=np.float32),),
    'np.sin(0.5), [0.0] * 3, None, True, "text"': (np.sin(0.5), [0.0] * 3, None, True, 'text'),
    'np.zeros(4)[1:3]': (np.zeros(2),),
}
MEANING = ['int', 'range', 'np', 'ｉｎｔ', '__name__', '__builtins__', '__debug__', 'None', 'lambda', '1x', 'a b', 'a\nb', '']
LINES = '''def f(x):
    y = x * 2.0  # a\x0c\u2028raise SystemExit
    z = y * y; w = z * x  # \x85coding=utf-7
    return w * z
'''


@pytest.mark.parametrize('name', NAMES)
def test_file_names_are_not_code(transpile, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text('def loss(x: float):\n    return x * np.sin(x)\nimport numpy as np\n')
    result = transpile(name, '-o', 'out.py', '--grad', 'loss')
    assert result.status == 0 and '\x1b' not in result.out + result.err
    done = subprocess.run([sys.executable, '-c', 'import out; print(out.loss_grad(0.0))'], capture_output=True, text=True)
    assert done.stdout == '0.0\n', done.stderr
    text = (tmp_path / 'out.py').read_text()
    assert all(line.isprintable() for line in text.split('\n')) and not (tmp_path / 'harmed').exists()
    assert transpile(name, '-o', 'out.py', '--grad', 'nothing').status == 1


@pytest.mark.parametrize('text', EVIL)
def test_what_is_no_data_is_refused(text):
    with pytest.raises(UsageError):
        evaluate_arguments(text)


@pytest.mark.parametrize('text', DATA)
def test_data_is_read(text):
    found = evaluate_arguments(text).args
    assert len(found) == len(DATA[text])
    for one, other in zip(found, DATA[text]):
        assert type(one) is type(other) and getattr(one, 'dtype', None) == getattr(other, 'dtype', None)
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other


def test_arguments_may_have_several_lines(transpile, model):
    result = transpile(model, '--grad', 'loss', '--args', '{"w": np.array([\n1.0]), "b": 1.0}, np.ones((2, 1)), np.ones(2)')
    assert result.status == 0 and "--args $'" in result.out
    import_text(result.out, 'out.py')


@pytest.mark.parametrize('name', MEANING)
def test_names_that_mean_something_are_refused(transpile, model, name):
    result = transpile(model, '--grad', f'energy:name={name}', '--grad', 'loss')
    assert result.status == 2 and result.out == '' and result.err.count('\n') == 1


def test_names_that_others_use_are_refused(transpile, model):
    for name, status in {'SCALE': 2, 'unbroadcast': 1}.items():
        result = transpile(model, '--grad', f'energy:name={name}', '--grad', 'scaled', '--grad', 'generic')
        assert result.status == status and f'`{name}`' in result.err


def repeated(x, range, len):
    total, k = 0.0, 0
    while k < 3:
        total, k = total + x * range * total + x, k + 1
    return total * len


def converted(x, int, abs=-2.0, ValueError=1.0):
    if x < -100.0:
        raise RuntimeError('small')
    return x * int * np.abs(abs) * ValueError


def test_names_of_builtins_are_names(mode):
    """Generated code asks `builtins` for what a parameter, or the function itself, hides."""
    for f, args in ((repeated, (0.5, 2.0, 3.0)), (converted, (0.5, 2.0))):
        slope = (f(0.5 + 1e-6, *args[1:]) - f(0.5 - 1e-6, *args[1:])) / 2e-6
        np.testing.assert_allclose(mode(tp.grad(f))(*args), slope, rtol=1e-6)


@pytest.mark.parametrize('name', ['range', 'a\nimport os', 'lambda', '<script>', '', 'f[0]'])
def test_a_function_may_have_any_name(name):
    def f(x):
        total = 0.0
        for _ in range(3):
            total = total * x + x
        return total
    f.__name__ = name
    for made in (tp.grad(f), tp.jit(f)):
        assert np.isclose(made(1.0), 6.0 if made.source.startswith('# grad') else 3.0)
        compile(made.source, 'out.py', 'exec')
    assert '<script>' not in tp.grad(f)._repr_html_()


class Named:
    """An object whose attributes have names that no identifiers are."""

    def __init__(self):
        self.__dict__ |= {'lambda': 3.0, '0 if open("harmed", "w") else 0': 2.0, 'w': 5.0}


def of_names(o, x):
    return getattr(o, 'lambda') * getattr(o, '0 if open("harmed", "w") else 0') * o.w * x


def of_keys(p, x):
    return p['lambda'] * x * p['a\nb'] * p['it\'s "q" {x}'] * p['print']


def test_names_of_attributes_and_keys_are_texts(mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert mode(tp.grad(of_names, argnums=1))(Named(), 2.0) == 30.0
    assert mode(tp.grad(of_keys, argnums=1))({'lambda': 2.0, 'a\nb': 3.0, 'it\'s "q" {x}': 5.0, 'print': 7.0}, 2.0) == 210.0
    assert not (tmp_path / 'harmed').exists()


def test_lines_of_the_user_stay_comments():
    """Form feeds and other separators are characters of a line for Python; an editor, or `str.splitlines`, may see two."""
    f = tp.from_source(LINES)
    for text in (tp.grad(f).source, tp.explain(tp.grad(f), 1.0)):
        assert all(line.isprintable() for line in text.split('\n'))
    assert tp.grad(f)(1.0) == 80.0
    with pytest.raises(tp.TranspileError, match=r'(?s):4:11.*    return g'):
        tp.grad(tp.from_source('import math\ndef f(x):\n    y = x  # \x0c\u2028\n    return g(y)\n'))(1.0)


HIDING = '''import numpy as range
import numpy as np

len = range.pi
int = [len for len in (1.0, 2.0)][1]
len_1 = 5.0


def loss(x: "float64[n]", k=int):
    s = 0.0
    for v in x:
        s = s + s * v * len + len_1
    return s * k


def other(x: "float64[n]"):
    s = 0.0
    for v in x:
        s = s * v + v
    return s
'''


def test_constants_called_like_builtins_get_other_names(transpile, tmp_path):
    (tmp_path / 'm.py').write_text(HIDING)
    result = transpile(str(tmp_path / 'm.py'), '--grad', 'loss', '--grad', 'other', '--check')
    assert result.status == 0, result.err
    assert not {'range', 'len', 'int'} & vars(import_text(result.out, 'out.py')).keys()


ANNOTATIONS = ["'{y: float}'", "'{**y}'", '{[1]: float}', "'NDArray[()]'", r"'\udcff'", r"'\0'", "'('", 'lambda: 1',
               "'float64[open(1)]'"]


@pytest.mark.parametrize('annotation', ANNOTATIONS)
def test_annotations_that_mean_nothing_say_nothing(transpile, tmp_path, annotation):
    (tmp_path / 'm.py').write_text(f'def loss(x: float, y: {annotation} = 1.0) -> {annotation}:\n    return x * x\n')
    result = transpile(str(tmp_path / 'm.py'), '--grad', 'loss')
    assert result.status == 0 and import_text(result.out, 'out.py').loss_grad(3.0) == 6.0


def test_functions_are_spoken_of_by_name(transpile, tmp_path):
    text = 'g = lambda: 1\ndef loss(x: float):\n    return x * g\ndef other(x: float):\n    return x * g.k\n'
    (tmp_path / 'm.py').write_text(text)
    for name, said in (('loss', 'the function `g`'), ('other', '`<function g>` has no attribute')):
        result = transpile(str(tmp_path / 'm.py'), '--grad', name)
        assert result.status == 1 and said in result.err and 'gast' not in result.err


@pytest.mark.parametrize('value', ["__import__('os').getpid()", "eval('3')", "np.__builtins__['open']('harmed', 'w').fileno()",
                                   "getattr(np, '__builtins__')['len']('abc')", "vars(np)['pi']"])
def test_what_runs_texts_is_not_copied(transpile, tmp_path, value):
    (tmp_path / 'm.py').write_text(f'import numpy as np\nC = {value}\ndef loss(x: float):\n    return x * C\n')
    result = transpile(str(tmp_path / 'm.py'), '-o', str(tmp_path / 'out.py'), '--grad', 'loss')
    assert result.status == 1 and 'cannot be copied into the output' in result.err


def test_nothing_that_is_mapped_is_said(transpile, tmp_path):
    (tmp_path / 'm.py').write_text('def loss(x: float):\n    return x * x\n')
    result = transpile(str(tmp_path / 'm.py'), '--vmap', 'loss:in_axes=None')
    assert result.status == 1 and 'nothing is mapped' in result.err


@pytest.mark.parametrize('numbers', ['0,,1', ',', '', ',0', '1_0', '+0', ' 0', '00', '0x0', '1e0', '\u0660',
                                     '\uff10', 'None,0', '0,0 ', '-'])
@pytest.mark.parametrize('option', ['--grad', '--value-and-grad', '--jvp'])
def test_argnums_are_plain_integers(transpile, model, option, numbers):
    result = transpile(model, option, f'generic:argnums={numbers}')
    assert result.status == 2 and result.err.count('\n') == 1 and 'argnums' in result.err


@pytest.mark.parametrize('axes', ['0,,0', ',', 'none', 'NONE', '1_0', '\u0660', '0.0', 'None None'])
def test_axes_are_integers_or_none(transpile, model, axes):
    result = transpile(model, '--vmap', f'generic:in_axes={axes}')
    assert result.status == 2 and 'must be integers or None separated by commas' in result.err


AXES = {
    'generic:in_axes=0,0,0': 'in_axes=(0, 0, 0) does not fit `generic`, which takes 2 positional arguments',
    'generic:in_axes=0,': 'in_axes=(0,) does not fit `generic`, which takes 2 positional arguments',
    'energy:in_axes=0,0,0': 'does not fit `energy`, which takes 1 to 2 positional arguments',
    'energy:in_axes=5': 'axis 5 is out of range for `x`, of which one example has rank 1',
    'scaled:in_axes=-3': 'axis -3 is out of range for `x`, of which one example has rank 1',
    'energy:in_axes=0,1': 'axis 1 is out of range for `k`, of which one example is a number',
}


@pytest.mark.parametrize('spec', AXES)
def test_axes_fit_the_parameters(transpile, model, spec):
    result = transpile(model, '--vmap', spec)
    assert result.status == 1 and AXES[spec] in result.err and str(model) in result.err


@pytest.mark.parametrize('spec', ['energy:in_axes=1', 'energy:in_axes=-1,None', 'energy:in_axes=0,0', 'loss:in_axes=None,0,-1'])
def test_axes_that_fit(transpile, model, spec):
    assert transpile(model, '--check', '--vmap', spec).status == 0


def test_what_is_given_by_keyword_goes_by_its_first_axis(transpile, model):
    model.write_text(model.read_text() + '\n\ndef named(x: "float64[n]", *, k: float):\n    return np.sum(x) * k\n')
    for spec in ('named', 'named:in_axes=1', 'named:in_axes=1,'):
        assert transpile(model, '--check', '--vmap', spec, '--args', 'np.ones(3), k=2.0').status == 0


IMPORTS = {
    'in a function': 'import numpy as np\n\n\ndef f(x):\n    import harm\n    return np.sum(x) * harm.k\n',
    'a name, in a function': 'import numpy as np\n\n\ndef f(x):\n    from harm import k\n    return np.sum(x) * k\n',
    'in a nested function': 'import numpy as np\n\n\ndef f(x):\n    def g(y):\n        import harm\n        return y * harm.k\n'
                            '    return np.sum(g(x))\n',
    'in what is called': 'import numpy as np\n\n\ndef f(x):\n    return g(x)\n\n\ndef g(x):\n    import harm as h\n'
                         '    return np.sum(x) * h.k\n',
    'at the top': 'import numpy as np\nimport harm\n\n\ndef f(x):\n    return np.sum(x) * harm.k\n',
    'a program of a library': 'import numpy as np\nimport numpy.f2py.__main__ as p\n\n\ndef f(x):\n    return np.sum(x) * p.k\n',
    'a program, in a function': 'import numpy as np\n\n\ndef f(x):\n    import transpiler.__main__ as p\n'
                                '    return np.sum(x) * p.k\n',
}


@pytest.mark.parametrize('where', IMPORTS)
@pytest.mark.parametrize('option', [['--grad', 'f', '--args', 'np.ones(3)'], ['--lint']])
def test_nothing_beside_the_module_is_imported(tmp_path, where, option):
    (tmp_path / 'harm.py').write_text(f'{HARM}\nk = 2.0\n')
    (tmp_path / 'model.py').write_text(IMPORTS[where])
    done = subprocess.run([sys.executable, '-m', 'transpiler', 'model.py', *option], cwd=tmp_path, capture_output=True, text=True)
    assert 'imported from elsewhere' in done.stderr + done.stdout and not (tmp_path / 'harmed').exists()


def test_the_module_is_run_under_check_alone(transpile, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'm.py').write_text(f'{HARM}\ndef f(x: float, k={HARM[:-8]}.fileno()):\n    return x * x\n')
    assert transpile('m.py', '--grad', 'f').status == transpile('m.py', '--lint').status == 1
    assert not (tmp_path / 'harmed').exists()
    (tmp_path / 'm.py').write_text(f'{HARM}\ndef f(x: float):\n    return x * x\n')
    assert transpile('m.py', '-o', 'out.py', '--grad', 'f').status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ['m.py', 'out.py']     # that file alone is written
    assert transpile('m.py', '--grad', 'f', '--check').status == 0 and (tmp_path / 'harmed').exists()


def test_what_python_brings_along_may_be_imported(transpile, model):
    model.write_text('import itertools\nimport numpy as np\n\n\ndef f(x: "float64[n]"):\n    import bisect\n    s = 0.0\n'
                     '    for i, j in itertools.product(range(2), range(2)):\n        s = s + x[i] * x[j]\n'
                     '    return s * bisect.bisect([1.0, 2.0], 1.5)\n')
    assert transpile(model, '--check', '--grad', 'f').status == 0
