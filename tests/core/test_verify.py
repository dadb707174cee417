"""What the grammar check refuses, and with which words."""
import gast
import pytest

from transpiler.core.text import parse
from transpiler.core.verify import verify
from transpiler.errors import GrammarError
from transpiler.values.types import FLOAT

BROKEN = {
    'y = 2 * (x + 1); return y': 'operands of an operation are atoms',
    'a[i] = x + 1; return a': 'what is written is an atom',
    'a[i] *= x; return a': 'what is there is added to, or is written anew',
    'y = x[i + 1]; return y': 'the parts of an index are atoms',
    'y = np.exp(x)[0]; return y': 'the base of a subscript is a name',
    'y = x': 'does not end in a return',
    'return x + 1': 'a result is an atom',
    'y = lambda: x; return y': 'not a core operation (Lambda)',
    'y, z = x; return y': 'not a core statement (Assign)',
    'if x > 0:\n    y = 1\nreturn x': 'the test of an if is an atom',
    'for i in range(n + 1):\n    y = 1\nreturn x': 'the bounds of a loop are atoms',
    'if c:\n    return x\nreturn x': 'a return stands at the very end only',
}


@pytest.mark.parametrize('text', BROKEN)
def test_refused(text):
    with pytest.raises(GrammarError) as caught:
        verify(parse(text))
    assert BROKEN[text] in str(caught.value)


@pytest.mark.parametrize('text', [
    'y = np.sum(x, axis=0); return y',
    'y = x[1:, None, ...]; return y, [y, x]',
    'n = x.shape[0]; m = x.size; y = np.zeros((n, 3)); return {"y": y}',
    'a[...] += x; return a',
    'y = x\nwhile y * y > 2.0:\n    y = y * 0.5\nreturn y',
    't = tape.new(); tape.push(t, x); y = tape.pop(t); return y',
])
def test_accepted(text):
    assert verify(parse(text))


def test_surface_form_may_nest():
    core = parse('y = 2 * (x + 1); return y')
    assert verify(core, surface=True) is core


def test_a_name_must_be_defined():
    with pytest.raises(GrammarError, match='z is read but not defined'):
        verify(parse('y = x + z; return y', params=['x']))


def test_a_name_of_one_branch_may_be_read_after_it():
    verify(parse('if c:\n    y = x\nreturn y', params=['c', 'x']))


def test_every_name_has_a_type_if_any_has():
    with pytest.raises(GrammarError, match='y has no type'):
        verify(parse('y = x * x; return y', types={'x': FLOAT}))


def test_statements_carry_origin_and_role():
    core = parse('y = x * x; return y')
    bare = gast.parse('y = x * x').body[0]
    with pytest.raises(GrammarError, match='carries its origin'):
        verify(core.with_body([bare, core.body[-1]]))
    core.body[0].role = 'other'
    with pytest.raises(GrammarError, match='one of the roles'):
        verify(core)
