"""Several generated texts in one module."""
import pytest

from transpiler.cli.assemble import assemble
from transpiler.cli.draw import draw_example
from transpiler.cli.helpers import standalone
from transpiler.errors import TranspileError, UnknownType
from transpiler.source.reading.module import ModuleText
from transpiler_kernels import arrays

FIRST = '# grad of f\nimport math\n\nimport numpy as np\n\n\ndef f_grad(x):\n    # pullback\n    return np.cos(x) * math.pi\n'
SECOND = '# grad of g\nimport numpy as np\nimport scipy.special\n\nfrom transpiler_kernels.arrays import unbroadcast as u\n\n\n' \
         'def g_grad(x):\n    return u(np.sin(x), x) * scipy.special.erf(x)\n'


def test_imports_are_merged_and_sorted():
    text = assemble([FIRST, SECOND], '# head', runtime=True)
    assert text.startswith('# head\nimport math\n\nimport numpy as np\nimport scipy.special\n\n'
                           'from transpiler_kernels.arrays import unbroadcast as u\n\n\n'
                           '# grad of f\ndef f_grad(x):\n    # pullback\n')
    assert text.endswith('\n\n\n# grad of g\ndef g_grad(x):\n    return u(np.sin(x), x) * scipy.special.erf(x)\n')


def test_helpers_come_before_the_functions_that_use_them():
    text = assemble([FIRST, SECOND], '# head')
    assert 'kernels' not in text
    assert text.index('def unbroadcast(') < text.index('u = unbroadcast') < text.index('def g_grad')


def test_a_module_without_imports():
    assert assemble(['def f_grad(x):\n    return 2.0 * x\n'], '# head') == '# head\n\n\ndef f_grad(x):\n    return 2.0 * x\n'


def test_one_name_cannot_mean_two_things():
    other = FIRST.replace('import numpy as np', 'import scipy as np').replace('f_grad', 'h_grad')
    with pytest.raises(TranspileError, match='`np` would be imported twice'):
        assemble([FIRST, other], '# head')
    with pytest.raises(TranspileError, match='`np` would be imported and defined twice'):
        assemble([FIRST, 'def np(x):\n    return x\n'], '# head')


def test_every_helper_can_stand_alone():
    names = [name for name, value in vars(arrays).items() if getattr(value, '__module__', None) == arrays.__name__]
    for name in names:
        imports, definitions = standalone([name])
        namespace = {}
        exec('\n'.join([*imports, *definitions]), namespace)
        assert callable(namespace[name])
        assert set(imports) <= {'import numpy as np'}


def example(signature):
    return draw_example(ModuleText(f'def f({signature}):\n    return x\n', 'm.py').function('f'))


def test_examples_follow_the_annotations():
    drawn = example("x: 'float64[n, 2*n]', y: 'float32[n]', k: int, params: {'w': 'int64[m]', 'b': float}, c=1.0, *, flag: bool")
    x, y, k, params = drawn.args
    assert y.shape == (3,) and y.dtype == 'float32' and x.shape[0] == 3 and k == 2
    assert params['w'].shape == (4,) and params['w'].dtype == 'int64' and type(params['b']) is float
    assert drawn.kwargs == {'flag': True}


@pytest.mark.parametrize('signature', ['x', "x: 'float64[...]'", 'x: np.ndarray', "x: {'w': 'float64[n]', 'b': None}"])
def test_annotations_that_say_too_little_are_refused(signature):
    with pytest.raises(UnknownType, match='the type of its parameter `x` is not known'):
        example(signature)
