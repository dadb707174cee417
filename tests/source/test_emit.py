"""Printing: precedence, idioms, names, containers, comments, long lines. Everything printed is read back and compared."""
import ast

import numpy as np
import pytest

from transpiler.core.build import assign, constant, give, name
from transpiler.core.language import Core, Leaf, Node, Param, Static
from transpiler.core.text import expression, parse
from transpiler.errors import Origin
from transpiler.source.writing.emit import emit
from transpiler.source.writing.line_wrapping import wrap
from transpiler.source.writing.printing import Spelling
from transpiler.values.types import FLOAT, Array

TABLE = Array(np.dtype(float), (None, None))


def body(core, **options):
    return emit(core, **options).text.split(':\n', 1)[1]


@pytest.mark.parametrize('text', [
    'x * (1.0 - h * h)', 'a - (b - c)', 'a - b - c', 'a / (b * c)', 'a / b * c', '-(a + b)', '-a * b', '-(a * b)', '(-a) ** b',
    '-a ** b', 'a ** -b', '(a ** b) ** c', 'a ** b ** c', '(-1.0) ** k', '2.0 ** -1', 'a @ b @ c', 'a @ (b @ c)', '(a + b) @ c',
    'not (a and b)', '(a or b) and c', 'a if c else b', '(a if c else b) + 1', 'f if (a if b else c) else d',
    '(a < b) == c', 'a < b', 'not a < b', '(a + b)[i]',
    'a[i + 1:, None, ..., ::-1]', 'a[i, (1, 2)]', 'x.shape[0] - 1', '(a + b).size', '-x[0]', '(-x)[0]',
    '~a & b', '(a, b)[0]',
])
def test_printed_expressions_mean_the_same(text):
    printed = Spelling().expression(expression(text))
    assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(text)), printed


@pytest.mark.parametrize('text', ['x * (1.0 - h * h)', '2.0 / err.size * err', '-a * b', 'a - (b - c)', 'x @ w1 + b1', '-x ** 2'])
def test_no_needless_parentheses(text):
    assert Spelling().expression(expression(text)) == text


@pytest.mark.parametrize(('text', 'printed'), [
    ('np.matmul(a + b, np.transpose(c))', '(a + b) @ c.T'),
    ('np.transpose(a, (1, 0, 2))', 'np.transpose(a, (1, 0, 2))'),
    ('np.reshape(t, (n, 3))', 't.reshape((n, 3))'),
    ('np.reshape(u, (n, 3))', 'np.reshape(u, (n, 3))'),
    ('np.copy(t)', 't.copy()'),
    ('np.absolute(a)', 'np.abs(a)'),
    ('np.sum(a, axis=0)', 'np.sum(a, axis=0)'),
    ('python.float(a)', 'float(a)'),
    ('range(0, n, 1)', 'range(n)'), ('range(1, n, 1)', 'range(1, n)'), ('range(n, 0, -1)', 'range(n, 0, -1)'),
])
def test_idioms(text, printed):
    assert Spelling({'t': TABLE}).expression(expression(text)) == printed


@pytest.mark.parametrize('value', [1, -2, 0.1, -0.0, 1e-300, float('inf'), -float('inf'), float('nan'), np.float32(0.1),
                                   np.int64(-3), np.dtype('float32'), np.dtype(bool), 2j, True, None, 'a\n"b"\'', ...])
def test_constants_come_back(value):
    core = Core('f', (), (give(constant(value)),))
    namespace: dict = {}
    exec(emit(core).text, namespace)
    back = namespace['f']()
    assert type(back) is type(value) or isinstance(value, np.dtype)
    assert repr(np.dtype(back) if isinstance(value, np.dtype) else back) == repr(value)


def test_whole_array_writes():
    core = parse('a[...] = v; a[...] += v; b[...] = v; return a', types={'a': TABLE, 'v': TABLE})
    assert body(core) == '    a[:] = v\n    a += v\n    b[...] = v\n    return a\n'


def test_tapes_are_lists():
    assert body(parse('t = tape.new(); tape.push(t, x); y = tape.pop(t); return y')).splitlines() == [
        '    t = []', '    t.append(x)', '    y = t.pop()', '    return y']


def test_only_used_imports_and_none_in_the_way():
    assert emit(parse('return x')).text == 'def f(x):\n    return x\n'
    text = emit(parse('a = kernels.unbroadcast(x, y); b = np.exp(a); return b')).text
    assert text.startswith('import numpy as np\n\nfrom transpiler_kernels.arrays import unbroadcast\n\n\ndef f(x, y):\n')
    core = Core('f', (Param('np', Leaf('np')),), (assign('y', expression('np.exp(v)')), give(name('y'))))
    assert 'import numpy as np_1' in emit(core).text


def test_signature():
    params = (Param('x', Leaf('x')), Param('n', Leaf('n'), default='3'), Param('key', Static('a'), 'keyword', "'a'"),
              Param('scale', Leaf('scale'), 'capture'))
    assert emit(Core('f', params, (give(name('x')),))).text.startswith("def f(x, n=3, *, key='a', scale):\n")
    assert emit(Core('f', params, (give(name('x')),)), mode='flat').text.startswith('def f(x, n, scale):\n')


def unpacked(tree, *read):
    values = [assign(f'v_{leaf}', name(leaf)) for leaf in read]
    return emit(Core('f', (Param('p', tree),), (*values, give(constant(None))))).text.splitlines()[1]


def test_containers_are_taken_apart():
    pair = Node('tuple', (Leaf('w'), Leaf('b')))
    assert unpacked(Node('list', (pair, Leaf('c'))), 'w', 'b', 'c') == '    (w, b), c = p'
    assert unpacked(Node('tuple', (Leaf('w'),)), 'w') == '    w, = p'
    assert unpacked(Node('tuple', (Leaf('a'), Static(None), Leaf('b'), Leaf('c'), Leaf('d'))), 'b') == '    b = p[2]'
    assert unpacked(Node('dict', (Leaf('w'), pair.__class__('tuple', (Leaf('b'),))), ('w', 'rest')), 'w', 'b') == \
        "    w, b = p['w'], p['rest'][0]"
    assert unpacked(Node('object', (Leaf('w'),), ('weight',)), 'w') == '    w = p.weight'


def test_header_docstring_and_digest():
    core = parse('return x')
    source = emit(core, doc='Give it back.\n\nNothing else.', header=['grad of f'])
    assert source.text.startswith('# grad of f\n\n\ndef f(x):\n    """Give it back.\n')
    assert source == emit(core, doc='Give it back.\n\nNothing else.', header=['grad of f'])
    assert source.digest != emit(core).digest
    exec(emit(core, doc='quotes """ and \\ too"').text, {})


def test_the_line_map_leads_to_the_user():
    source = emit(parse('y = np.exp(x)\nz = y\nreturn z'))
    lines = source.text.splitlines()
    assert {lines[number - 1].strip(): origin.line for number, origin in source.line_map.items()} == {
        'y = np.exp(x)': 1, 'z = y': 2, 'return z': 3}


def test_pullback_comments():
    lines = [Origin('m.py', number, 0, f'    line {number}') for number in range(9)]

    def step(target, line):
        return assign(target, name('x'), lines[line], 'pullback')
    core = Core('f', (Param('x', Leaf('x')),), (
        assign('y', name('x'), lines[1]), step('a', 3), step('b', 2), step('c', 2), step('d', 1), give(name('d'))))
    assert body(core).splitlines() == [
        '    y = x', '    # pullback', '    a = x                            # line 3: line 3',
        '    # pullback of line 2: line 2', '    b = x', '    c = x',
        '    d = x                            # line 1: line 1', '    return d']


def test_long_lines_are_wrapped():
    terms = ' + '.join(f'np.sin(first_{k}) * second_{k}' for k in range(8))
    lines = wrap(f'    result = {terms}')
    assert all(len(line) <= 110 for line in lines) and len(lines) > 1
    assert ast.dump(ast.parse('\n'.join(lines).strip())) == ast.dump(ast.parse(f'result = {terms}'))
    arguments = ', '.join(f'argument_number_{k}' for k in range(12))
    lines = wrap(f'    return np.stack([{arguments}]), np.exp(x)')
    whole = f'def f():\n    return np.stack([{arguments}]), np.exp(x)'
    assert ast.dump(ast.parse('def f():\n' + '\n'.join(lines))) == ast.dump(ast.parse(whole))


def test_types_decide_about_transposes_of_numbers():
    assert Spelling({'s': FLOAT}).expression(expression('np.transpose(s)')) == 'np.transpose(s)'
