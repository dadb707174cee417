"""Parameters that the result does not depend on, and integers in places where derivatives are taken."""
from __future__ import annotations

from collections.abc import Iterator

from transpiler.analyses.lint.dependence import Dependence
from transpiler.analyses.lint.finding import Finding
from transpiler.core.language import Core, Param, leaves
from transpiler.errors import Origin
from transpiler.values.types import Array, Unknown, is_differentiable

FLAT, TURNS = 'roundings, indices and comparisons', 'branches and the ends of loops'


def parameters(core: Core, depends: Dependence) -> Iterator[Finding]:
    """Warnings about parameters: without influence, with flat influence only, or integers in the place of floats.

    >>> from transpiler.analyses.lint.dependence import dependence
    >>> from transpiler.core.text import parse
    >>> core = parse('k = np.sign(x); y = w * k; return y', params=['w', 'x', 'b'])
    >>> [f.message for f in parameters(core, dependence(core))]
    ['the derivative by `x` is zero everywhere', 'the result does not depend on `b`']
    """
    if core.functions:      # what a function that calls itself reads is not followed through its calls
        return
    own = [param for param in core.params if param.kind != 'capture']
    for param in own:
        names = leaves(param.tree)
        if names and not param.name.startswith('_') and not depends.decisive.intersection(names):
            yield Finding('no-influence', f'the result does not depend on `{param.name}`', param.origin,
                          'nothing that is computed from its values enters the result', 'use it, or take it out')
            continue
        for name in names:
            if name not in depends.decisive or not isinstance(core.types.get(name), Unknown):
                yield from _leaf(depends, name, param.origin)
    yield from _integers(core, depends, own)


def _leaf(depends: Dependence, name: str, origin: Origin | None) -> Iterator[Finding]:
    shown = depends.leaves[name]
    if name not in depends.decisive:
        yield Finding('no-influence', f'the result does not depend on `{shown}`', origin,
                      'nothing that is computed from its values enters the result', 'use it, or take it out')
    elif name in depends.smooth and not depends.smooth[name] & depends.results:
        used = name in depends.used
        yield Finding('flat', f'the derivative by `{shown}` is zero everywhere', origin,
                      f'it enters the result only through {FLAT if used else TURNS}',
                      'leave it out of `argnums`, or replace those steps by smooth ones', 'warning' if used else 'note')


def _integers(core: Core, depends: Dependence, own: list[Param]) -> Iterator[Finding]:
    """Integers used as numbers, where `grad` would look for floats: in the first parameter, or in any if none has floats."""
    no_floats = not depends.smooth
    for position, param in enumerate(own):
        for name in leaves(param.tree):
            type_ = core.types.get(name)
            wanted = no_floats or position == 0 and isinstance(type_, Array)
            if wanted and name in depends.counted and not is_differentiable(type_) and type_.dtype.kind in 'iu':
                yield Finding('integer', f'`{depends.leaves[name]}` is {type_}: it has no derivative', param.origin,
                              'derivatives are taken by floats; `grad` refuses integers',
                              f'pass floats, as in `{param.name} * 1.0`')
