"""What the fence refuses, and the words it uses; what it lets through."""
from pathlib import Path

import gast
import pytest

from transpiler.errors import Origin, TranspileError, UnsupportedSyntax
from transpiler.normalize.fence import check
from transpiler.normalize.refusals import REFUSALS, REFUSED_CALLS

CASES = sorted((Path(__file__).parents[1] / 'golden' / 'fence').glob('*.txt'))
RULE = '-' * 40 + '\n'
NEWER_SYNTAX = {'type alias', 'type parameters', 'template string'}     # not every supported Python can parse these


def fenced(text: str, shadowed=frozenset(), function=None) -> None:
    lines = text.splitlines()
    check(function or gast.parse(text).body[0],
          lambda node: Origin('model.py', node.lineno, node.col_offset, lines[node.lineno - 1]), shadowed)


@pytest.mark.parametrize('path', CASES, ids=lambda path: path.stem)
def test_refusal(path, golden):
    code = path.read_text().partition(RULE)[0]
    with pytest.raises(UnsupportedSyntax) as caught:
        fenced(code)
    golden(path, f'{code}{RULE}{caught.value}\n')


def test_refusals_are_many_and_all_shown():
    shown = '\n'.join(path.read_text() for path in CASES)
    unseen = [key for key, refusal in REFUSALS.items() if refusal.why not in shown or refusal.instead not in shown]
    assert len(CASES) >= 45 and set(unseen) <= NEWER_SYNTAX


def test_every_refused_call_has_its_words():
    assert set(REFUSED_CALLS.values()) <= set(REFUSALS)


def test_one_class_catches_everything():
    with pytest.raises(TranspileError):
        fenced('def f(x):\n    yield x')
    with pytest.raises(SyntaxError):
        fenced('def f(x):\n    yield x')


def test_newer_syntax_is_refused():
    text = 'def f(x):\n    return x'
    generic = gast.parse(text).body[0]
    generic.type_params = [gast.Name(id='T', ctx=gast.Store(), annotation=None, type_comment=None)]
    with pytest.raises(UnsupportedSyntax, match='type parameters'):
        fenced(text, function=generic)
    for node, words in ((gast.TypeAlias(name=None, value=None), '`type` statement'), (gast.TemplateStr(values=[]), 'template')):
        function = gast.parse(text).body[0]
        function.body.insert(0, gast.copy_location(node, function.body[0]))
        with pytest.raises(UnsupportedSyntax, match=words):
            fenced(text, function=function)


def test_async_root_is_refused():
    with pytest.raises(UnsupportedSyntax, match='async'):
        fenced('async def f(x):\n    return x')


ALLOWED = {
    'assignments': 'a = b = x\n(c, (d, e)), f = (a, (b, x)), x\n[g, h] = a, b\nreturn g',
    'augmented': 'x += 1\nx -= 1\nx *= 2\nx /= 2\nx **= 2\nx //= 2\nx %= 2\nx @= x\nreturn x',
    'annotations': 'y: float = 1.0\nz: "float64[n]"\nreturn x * y',
    'operators': 'return -x + +x * x / x // x % x ** x @ x - ~x | x & x ^ x << x >> x',
    'comparisons': 'return 0 < x <= 1 and not x == 2 or x != 3 >= x',
    'identity with None': 'if x is None or None is not x:\n    return 0.0\nreturn x',
    'membership': "if 'b' in x and 'c' not in x:\n    return x['b']\nreturn 0.0",
    'conditional expression': 'return x if x > 0 else -x',
    'branches with returns': 'if x > 0:\n    return x\nelif x < -1:\n    return -x\nelse:\n    x = 0.0\nreturn x',
    'loops': 'for i in range(3):\n    for j in range(i, 0, -1):\n        x = x * j\nwhile x > 1:\n    x = x / 2\nreturn x',
    'loops left early': 'for i in range(3):\n    if x < i:\n        break\n    if x > i:\n        continue\n    return x\n'
                        'else:\n    x = 2',
    'a loop without end': 'while True:\n    if x > 1:\n        break\nelse:\n    return x\nreturn x',
    'del of a name': 'y = x\ndel y\nreturn x',
    'assignment in an expression': 'while (y := x * 2) < 3:\n    x = y\nreturn x if (z := x) > 1 else z * x',
    'loop over containers': 'for a, (b, c) in zip(x, enumerate(x)):\n    d = a * b * c\nreturn d',
    'writes': 'x[0] = 1\nx[1:3] += 2\nx[..., None, ::-1] = x[0, ...]\nreturn x',
    'calls with keywords': 'return np.sum(x, axis=0, keepdims=True)',
    'nested functions': 'def g(y, scale=2, *, bias=0.0):\n    return y * scale + bias\nreturn (lambda z, k=3: g(z, k))(x)',
    'known decorators': '@tp.jit\n@tp.grad(argnums=(0,))\n@jit\ndef g(y):\n    return y * y\nreturn g(x)',
    'return in a function in a loop': 'for i in range(3):\n    def g(y):\n        return y\n    x = g(x)\nreturn x',
    'containers': "y = (x, [x, {'a': x, 'b': (x,)}], ())\nreturn y[1][1]['a']",
    'attributes': 'return x.T.shape[0] * x.real.sum(0)',
    'messages': "if x < 0:\n    raise ValueError(f'bad: {x!r}' + str(x))\nassert x < 9, '%s' % x\nprint(f'{x:.2f}', str(x))",
    'docstring and pass': "'''What it does.'''\npass\nreturn None",
    'constants': "return 1, 1.5, 2j, True, None, 'ij,jk', ..., 'ij' + ',jk'",
    'getattr of a constant': "return getattr(x, 'T')",
    'matching method names': 'return np.add(x, x) + numbers.update(x)',
    'tapes': 't = []\nt.append(x)\nwhile t:\n    x = t.pop()\nreturn x',
    'comprehensions': 'del x[0], y\nreturn [v for v in x if v > 0], {k: v for k, v in x}, sum(v for v in x)',
    'shadowed builtins': 'def open(y):\n    return y * 2\nid = lambda y: y\nreturn open(id(x))',
}


@pytest.mark.parametrize('body', ALLOWED.values(), ids=ALLOWED.keys())
def test_let_through(body):
    fenced('def f(x):\n' + ''.join(f'    {line}\n' for line in body.splitlines()))


def test_what_stands_outside_the_body_is_the_users_business():
    fenced("@decorate(*[n for n in range(3)])\ndef f(x: f'{1}', table={'a', 'b'}, size=len(sorted([1]))):\n    return x")


def test_names_around_the_function_shadow_builtins():
    text = 'def f(x):\n    return compile(x)'
    fenced(text, shadowed=frozenset({'compile'}))
    with pytest.raises(UnsupportedSyntax):
        fenced(text)


def test_lambda():
    function = gast.parse('g = lambda x, k=1: x * k').body[0].value
    fenced('g = lambda x, k=1: x * k', function=function)
    with pytest.raises(UnsupportedSyntax, match='yield'):
        text = 'g = lambda x: (yield x)'
        fenced(text, function=gast.parse(text).body[0].value)
