"""Names whose meaning the text alone does not tell are refused, never guessed."""
import numpy as np
import pytest

from transpiler.cli.check import import_text

DOUBTFUL = [
    ('if True:\n    k = 2.0', 'k = 2.0'),
    ('k = 1.0\nk += 1.0', 'k += 1.0'),
    ('k, other = 1.0, 2.0', 'k, other = 1.0, 2.0'),
    ('for k in range(3):\n    pass', 'for k in range(3):'),
    ('try:\n    import fast as k\nexcept ImportError:\n    k = None', 'import fast as k'),
    ('k = 1.0\ndef change():\n    global k\n    k = 2.0', 'global k'),
    ('with open("file") as k:\n    pass', 'with open("file") as k:'),
    ('k = 1.0\ndel k', 'del k'),
    ('class k:\n    pass', 'class k:'),
    ('k = [1.0, 2.0]\nk[0] = 5.0', 'k[0] = 5.0'),
    ('k = [1.0, 2.0]\nk.append(3.0)', 'k.append(3.0)'),
    ('k = [1.0, 2.0]\ndel k[0]', 'del k[0]'),
    ('k = 1.0\nfrom elsewhere import *', 'from elsewhere import *'),
    ('from .numpy import *', 'from .numpy import *'),
]


@pytest.mark.parametrize('text, line', DOUBTFUL)
def test_doubtful_names_are_refused(transpile, model, text, line):
    model.write_text(f'{text}\ndef f(x):\n    return x * k\n')
    result = transpile(model, '--grad', 'f')
    assert result.status == 1
    assert "what `k` means cannot be read off the module's text" in result.err and f'    {line}\n' in result.err


PLAIN = [
    ('k = 1.0\nk = 3.0', ''),                                          # the last one counts, as in Python
    ('k: float = 3.0', ''),
    ('k = 3.0', 'if __name__ == "__main__":\n    k = 5.0'),
    ('third = 1 / 3\nk = np.sum(np.ones(3)) * 3 * third', ''),
    ('def k_maker():\n    k = 7.0\n    return k\nk = 3.0', ''),
]


@pytest.mark.parametrize('before, after', PLAIN)
def test_plain_names_are_understood(transpile, model, before, after):
    model.write_text(f'import numpy as np\n{before}\ndef f(x: float):\n    return x * k\n{after}\n')
    result = transpile(model, '--grad', 'f', '--check')
    assert result.status == 0, result.err
    np.testing.assert_allclose(import_text(result.out, 'out.py').f_grad(2.0), 3.0)


def test_other_modules_are_not_read(transpile, model):
    model.write_text('from helpers import dense\ndef f(x):\n    return dense(x)\n')
    assert '`dense` is imported from elsewhere' in transpile(model, '--grad', 'f').err


def test_decorators_are_not_guessed(transpile, model):
    model.write_text('import functools\n@functools.cache\ndef f(x: float):\n    return x\n')
    assert '`f` has the decorator `functools.cache`' in transpile(model, '--grad', 'f').err
    model.write_text('from numba import njit\n@njit(cache=True)\ndef f(x: float):\n    return x\n')
    assert transpile(model, '--grad', 'f').status == 0


def test_values_that_the_module_computes_are_not_guessed(transpile, model):
    model.write_text('def make():\n    return 2.0\nk = make()\ndef f(x):\n    return x * k\n')
    assert '`make` in model.py cannot be copied into the output' in transpile(model, '--grad', 'f').err


def test_constants_are_taken_apart_or_kept(transpile, model):
    model.write_text('import numpy as np\nAXIS = 1\nPAIR = (2.0, {"k": 3.0})\n'
                     'def f(x: "float64[n, m]"):\n    return np.sum(np.sum(x, axis=AXIS) * PAIR[0]) * PAIR[1]["k"]\n')
    result = transpile(model, '--grad', 'f', '--check')
    assert result.status == 0, result.err


def test_defaults_are_kept_and_flags_are_guarded(transpile, model):
    model.write_text('import numpy as np\nHALF = 0.5\n'
                     'def f(x: float, k=HALF, power=2, *, mode="plain", scale=np.pi):\n'
                     '    if mode == "plain":\n        return k * x ** power\n    return scale * x\n')
    result = transpile(model, '--grad', 'f', '--check')
    assert result.status == 0, result.err
    assert "def f_grad(x, k=HALF, power=2, *, mode='plain', scale=np.pi):" in result.out
    gradient = import_text(result.out, 'out.py').f_grad
    np.testing.assert_allclose(gradient(3.0), 3.0)
    np.testing.assert_allclose(gradient(3.0, 2.0), 12.0)
    with pytest.raises(ValueError, match="generated for mode='plain'"):
        gradient(3.0, mode='other')


def test_numbers_needed_as_constants_are_guarded(transpile, model):
    model.write_text('import numpy as np\ndef f(x: "float64[n, m]", axis=0):\n    return np.max(np.sum(x * x, axis=axis))\n')
    result = transpile(model, '--grad', 'f', '--check')
    assert result.status == 0, result.err
    with pytest.raises(ValueError, match='generated for axis=0'):
        import_text(result.out, 'out.py').f_grad(np.ones((2, 2)), 1)
    other = transpile(model, '--grad', 'f', '--args', 'np.ones((2, 3)), axis=1')
    assert 'if axis != 1:' in other.out


@pytest.mark.parametrize(('module', 'name'), [('numpy', 'sum'), ('math', 'sin'), ('elsewhere', 'abs')])
def test_names_that_a_star_may_import(transpile, model, module, name):
    model.write_text(f'from {module} import *\n\n\ndef f(x):\n    return {name}(x)\n')
    result = transpile(model, '--grad', 'f', '--args', 'np.float64(2.0)')
    assert result.status == 1 and f'`from {module} import {name}`' in result.err and '    from' in result.err


def test_names_that_a_star_does_not_import(transpile, model):
    model.write_text('from math import *\nimport numpy as np\n\n\ndef f(x):\n    return abs(np.sin(x))\n')
    assert transpile(model, '--grad', 'f', '--args', 'np.float64(2.0)', '--check').status == 0


def test_libraries_beside_the_module_are_not_those_of_that_name(transpile, model):
    model.write_text('from .math import sin\n\n\ndef f(x):\n    return sin(x)\n')
    assert 'imported from elsewhere' in transpile(model, '--grad', 'f', '--args', 'np.float64(2.0)').err


@pytest.mark.parametrize('use', ['grid = n * 2.0\nn = 5.0\ndef f(x):\n    return x * grid',
                                 'def f(x, k=n):\n    return x * k\nn = 5.0'])
def test_values_made_of_names_that_are_bound_again(transpile, model, use):
    model.write_text(f'n = 3.0\n{use}\n')
    result = transpile(model, '--grad', 'f')
    assert result.status == 1 and '`n` is bound several times' in result.err


def test_calls_of_functions_and_modules_change_no_meaning(transpile, model):
    model.write_text('import numpy as np\nnp.seterr(all="ignore")\n\n\ndef f(x: float):\n    return x * x\n\n\nprint(f(2.0))\n')
    assert transpile(model, '--grad', 'f').status == 0
