"""What a program does besides giving a result: printing, and writing into memory that others see."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.lint.dependence import Dependence
from transpiler.analyses.lint.finding import Finding
from transpiler.analyses.memory.effects import is_noticed
from transpiler.core.language import Core, leaves
from transpiler.core.query import primitive, written


def side_effects(core: Core, depends: Dependence) -> Iterator[Finding]:
    """A warning for output and for writes into captured arrays, a note for writes into arguments;
    of each array the first write.

    >>> from transpiler.analyses.lint.dependence import dependence
    >>> from transpiler.core.text import parse
    >>> core = parse('y = x[1:]; y[0] = 2.0; print(y); return y'.replace('print', 'python.print'))
    >>> [(f.level, f.message) for f in side_effects(core, dependence(core))]
    [('note', '`x` is written into'), ('warning', '`print` has an effect besides the result')]
    """
    captured = {name: param.name for param in core.params if param.kind == 'capture' for name in leaves(param.tree)}
    seen: set[str] = set()
    for statement in core.statements:
        if target := written(statement):
            first = depends.shared.get(target, frozenset()) - seen
            seen |= first
            for name in sorted(first):
                yield _write(statement, captured.get(name) or depends.leaves[name], name in captured)
        elif is_noticed(statement):
            name = (primitive(statement.value) or '').removeprefix('python.').replace('numpy.', 'np.')
            yield Finding('side-effect', f'`{name}` has an effect besides the result', statement.origin,
                          'a derivative runs it once, with the primal; under `jit` Numba must be able to',
                          'return what is to be shown, and show it outside')


def _write(statement: gast.stmt, shown: str, captured: bool) -> Finding:
    if captured:
        return Finding('side-effect', f'`{shown}`, an array from outside the function, is written into', statement.origin,
                       'the result then depends on earlier calls', f'pass `{shown}` as an argument, or write into a copy of it')
    return Finding('write', f'`{shown}` is written into', statement.origin,
                   'the caller sees it; derivatives work on a copy', level='note')
