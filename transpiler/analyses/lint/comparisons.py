"""Floats that are compared for equality, and floats that decide which way the program goes."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.lint.dependence import Dependence
from transpiler.analyses.lint.finding import Finding
from transpiler.core.language import Core
from transpiler.core.query import names, primitive, reads, walk
from transpiler.values.types import is_differentiable

EXACT = {'numpy.equal': 'np.equal', 'numpy.not_equal': 'np.not_equal', 'numpy.array_equal': 'np.array_equal'}
STATEMENTS = ('if', 'elif', 'while')


def compared_floats(core: Core, depends: Dependence) -> Iterator[Finding]:
    """A warning where numbers that depend on a parameter are compared for equality; `x != x`, the test for nan, is none.

    >>> from transpiler.analyses.lint.dependence import dependence
    >>> from transpiler.core.text import parse
    >>> core = parse('c = x == 1.0; y = np.where(c, 0.0, x); return y')
    >>> [f.message for f in compared_floats(core, dependence(core))]
    ['floats are compared with `==`']
    """
    for statement in core.statements:
        operator = _equality(statement.value) if isinstance(statement, gast.Assign) else None
        if operator is None or statement.origin is not None and statement.origin.inside:
            continue
        floats = {name for name in names(statement.value) if is_differentiable(core.types.get(name))}
        if depends.behind(floats):
            yield Finding('float-equality', f'floats are compared with `{operator}`', statement.origin,
                          why='rounding decides whether they are equal; where they are, the derivative is of this case alone',
                          instead='compare with a tolerance: `abs(a - b) < 1e-12`')


def _equality(value: gast.expr) -> str | None:
    match value:
        case gast.Compare(left=gast.Name(id=left), comparators=[gast.Name(id=right)]) if left == right:
            return None
        case gast.Compare(ops=[gast.Eq()]):
            return '=='
        case gast.Compare(ops=[gast.NotEq()]):
            return '!='
    return EXACT.get(primitive(value) or '')


def deciding_floats(core: Core, depends: Dependence) -> Iterator[Finding]:
    """A note where a branch, or the end of a loop, depends on a parameter: the result may have a kink or a jump there.

    >>> from transpiler.analyses.lint.dependence import dependence
    >>> from transpiler.core.text import parse
    >>> core = parse('y = x; if x < 0.0:\\n    y = -x\\nreturn y'.replace('; ', '\\n'))
    >>> [f.message for f in deciding_floats(core, dependence(core))]
    ['`x` decides which way this goes']
    """
    flags = {statement.targets[0].id: statement.value for statement in core.statements
             if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)}
    for statement in core.statements:
        origin = getattr(statement, 'origin', None)
        if not isinstance(statement, (gast.If, gast.While)) or origin is None or origin.inside:
            continue
        tests = [flags[name] for name in reads(statement) if name in flags]
        parameters = [] if any(map(_equality, tests)) else depends.behind(reads(statement).union(*map(names, tests)))
        decided = {name for inner in walk([statement]) for name in names(inner)}
        if parameters and decided & depends.counted and origin.text[origin.column:].startswith(STATEMENTS):
            decide = 'decides' if len(parameters) == 1 else 'decide'
            yield Finding('kink', f'{" and ".join(f"`{p}`" for p in parameters)} {decide} which way this goes', origin,
                          'the derivative is that of the way taken; where it changes, the result may have a kink or a jump',
                          level='note')
