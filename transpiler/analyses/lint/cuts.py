"""Steps without a derivative on the way from a parameter to the result: casts, roundings, comparisons used as numbers."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.activity import differentiable_reads
from transpiler.analyses.lint.dependence import Dependence, number_reads
from transpiler.analyses.lint.finding import Finding
from transpiler.core.language import Core
from transpiler.core.query import primitive, written
from transpiler.values.types import is_differentiable

ROUNDING = ('floor', 'ceil', 'trunc', 'round', 'rint', 'fix', 'sign', 'floor_divide', '//', 'divmod')
PLACES = ('argmax', 'argmin', 'argsort', 'searchsorted', 'digitize')
# definitions of ours that are flat themselves; a flat step within any other belongs to a derivative that is right
FLAT_DEFINITIONS = ('floor', 'ceil', 'trunc', 'divmod', 'digitize')


def cuts(core: Core, depends: Dependence) -> Iterator[Finding]:
    """A warning where a number loses its derivative, a note where an index or a number of iterations is computed from it.

    >>> from transpiler.analyses.lint.dependence import dependence
    >>> from transpiler.core.text import parse
    >>> core = parse('k = np.argmax(x); y = x[k]; return y')
    >>> [(f.level, f.kind) for f in cuts(core, dependence(core))]
    [('note', 'selection')]
    """
    for statement in core.statements:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=value):
                lost, step = _lost(core, target, value), _step(value, statement.origin)
            case gast.Assign(value=value) | gast.AugAssign(value=value) if target := written(statement):
                lost, step = _lost(core, target, value), f'an array of {getattr(core.types.get(target), "dtype", "integers")}'
            case _:
                continue
        parameters = depends.behind(lost)
        if not parameters or statement.origin is not None and statement.origin.inside not in ('', *FLAT_DEFINITIONS):
            continue
        shown = ' and '.join(f'`{p}`' for p in parameters)
        if target in depends.counted:
            yield Finding('cut', f'{step} cuts the derivative by {shown}', statement.origin, *_advice(step))
        elif target in depends.decisive and step.strip('`').split('.')[-1] in (*ROUNDING, *PLACES, 'int'):
            yield Finding('selection', f'what {step} gives is a constant for the derivative by {shown}', statement.origin,
                          'it only selects, by an index or a number of iterations', level='note')


def _lost(core: Core, target: str, value: gast.expr) -> set[str]:
    """The operands that are used as numbers, but through which no derivative flows into `target`."""
    used = {name for name in number_reads(core, value) if is_differentiable(core.types.get(name))}
    return used - differentiable_reads(core, value) if is_differentiable(core.types.get(target)) else used


def _step(value: gast.expr, origin) -> str:
    """How the user would call the operation."""
    match value:
        case gast.Compare():
            return 'a comparison used as a number'
        case gast.BinOp(op=gast.FloorDiv()):
            return '`//`'
        case gast.Call(func=gast.Name(id='numpy.astype'), args=[_, *rest], keywords=keywords):
            dtype = [*rest, *(k.value for k in keywords if k.arg == 'dtype')]
            return f'`.astype({dtype[0].id.rpartition(".")[2]})`' if dtype else '`.astype`'
    name = origin.inside if origin and origin.inside else primitive(value) or 'a cast'
    package, _, function = name.partition('.')
    return f'`{dict(numpy="np", python="").get(package, package)}.{function}`'.replace('`.', '`') if function else f'`{name}`'


def _advice(step: str) -> tuple[str, str]:
    """Why, and what to write instead."""
    name = step.strip('`').split('.')[-1]
    if step.startswith('a comparison'):
        return ('a flag is 0 or 1, with steps between: its derivative is zero',
                'use a smooth step, such as `0.5 * (1 + np.tanh(x / width))`, or `np.where` to choose between values')
    if name in PLACES:
        return 'a position jumps: its derivative is zero', 'use the values at that position, or a softmax'
    if name in ROUNDING:
        return 'it is constant between its steps: its derivative is zero', 'leave it out, or use it for indices only'
    return 'integers and flags carry no derivative', 'keep it a float'
