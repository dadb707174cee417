"""Bounds of the lengths of texts: no text is longer than what is said of it."""
import gast
import pytest

import transpiler as tp
from tests import targets, test_targets
from transpiler.core.query import walk
from transpiler.core.text import expression, parse
from transpiler.source.writing.printing import Spelling
from transpiler.source.writing.text_lengths import at_most
from transpiler.values.types import Unknown

EXPRESSIONS = (
    '-x ** -y @ (z - w) % 2', 'not (x < y) is not None', "f.real if c in d else 'it''s'", 'x.shape[0] + y.ndim',
    'x[1:-2:3, ..., None]',
    'np.linalg.norm(np.transpose(x), axis=(0, -1), keepdims=True)', 'tape.item(t, -1) * tape.zeros(n, numpy.float32)',
    '[-1e300, 1.5, True, ~i, (x,), ()]', 'scipy.special.expit(python.len(x)) // 3', 'np.float64(-1e999) - 1e999')
STATEMENTS = ('tape.push(t, x); tape.put(t, i, x + 1.0); x[i, j] += y; x[...] = y; y = x; return x, y',
              'for i in range(0, n, 1):\n    if x > 0.0:\n        break\nwhile not x < y:\n    x[rows] += y\nreturn x')


@pytest.mark.parametrize('text', EXPRESSIONS)
def test_expressions(text):
    """Where what has a shape may be a number of Python's, too, which NumPy is asked about."""
    node = expression(text)
    for types in ({}, {'x': Unknown(), 'y': Unknown()}):
        assert len(Spelling(types).expression(node)) <= at_most(node)


@pytest.mark.parametrize('text', STATEMENTS)
def test_statements(text):
    for statement in walk(parse(text).body):
        assert len(Spelling().statement(statement)) <= at_most(statement)


@pytest.mark.parametrize('name', test_targets.CASES)
def test_texts_of_targets_are_as_they_were_put_together(name, monkeypatch):
    """No line is taken for a short one that is not."""
    told = Spelling.is_longer
    wrong = []

    def is_longer(self: Spelling, node: gast.stmt, length: int) -> bool:
        text = self.statement(node)
        wrong.extend([text] if at_most(node) < len(text) else [])
        return told(self, node, length)

    monkeypatch.setattr(Spelling, 'is_longer', is_longer)
    assert targets_text(name) and not wrong


def targets_text(name: str) -> str:
    return tp.value_and_grad(getattr(targets, name)).lower(*test_targets.CASES[name]).source
