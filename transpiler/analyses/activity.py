"""Which names carry derivatives: they depend on the inputs asked for, and the output depends on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

import gast

from transpiler.analyses.memory.aliases import memory, tape_of
from transpiler.core.fixpoint import reached
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import call_of, changed_by, defined, names, primitive, written
from transpiler.rules.base.registry import RULES, Rule
from transpiler.values.types import is_differentiable

Flow = tuple[str, frozenset[str]]
Reads = Callable[[Core, gast.expr], set[str]]


def active_names(core: Core, inputs: Iterable[str], outputs: Iterable[str]) -> frozenset[str]:
    """The names that are both varied by `inputs` and useful for `outputs`, and have a type that can carry a derivative.

    >>> from transpiler.core.text import parse
    >>> core = parse('y = x * w; z = y + w; s = np.sign(z); return z')
    >>> sorted(active_names(core, ['x'], ['z']))
    ['x', 'y', 'z']
    """
    return _active(core, inputs, outputs, flows(core, differentiable_reads))


def moving_names(core: Core, inputs: Iterable[str], outputs: Iterable[str]) -> frozenset[str]:
    """The names that have tangents: the active ones, those through which their memory is written, and lists of them.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyz', Array(np.dtype(float), (None,)))
    >>> core = parse('y = x * 2.0; z = y[1:]; z[0] = 1.0; return y', types=types)
    >>> sorted(active_names(core, ['x'], ['y'])), sorted(moving_names(core, ['x'], ['y']))
    (['x', 'y'], ['x', 'y', 'z'])
    """
    shared = memory(core)
    written_by = {name for statement in core.statements for name in changed_by(statement)}
    through = [(other, frozenset({name})) for name in written_by for other in core.types if shared.may_alias(other, name)]
    lists = [(list_, frozenset({name})) for s in core.statements for list_, name in _taken(s)]
    return _active(core, inputs, outputs, [*flows(core, differentiable_reads), *through, *lists])


def _taken(statement: gast.stmt) -> list[tuple[str, str]]:
    """The list that a statement takes an item from, and what it calls the item."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=gast.Name(id='tape.pop' | 'tape.item'), args=[gast.Name(id=items), *_]),
        ):
            return [(items, name)]
    return []


def _active(core: Core, inputs: Iterable[str], outputs: Iterable[str], found: list[Flow]) -> frozenset[str]:
    varied, useful = downstream(inputs, found), upstream(outputs, found)
    return frozenset(name for name in varied & useful if name not in core.types or is_differentiable(core.types[name]))


def flows(core: Core, reads: Reads) -> list[Flow]:
    """Every way in which values pass from names to a name; `reads` says which names of an operation count."""
    return [flow for statement in core.statements for flow in _flows(core, statement, reads)]


def downstream(start: Iterable[str], flows: Iterable[Flow]) -> set[str]:
    """The names that something in `start` flows into, itself included."""
    following: defaultdict[str, list[str]] = defaultdict(list)
    for target, sources in flows:
        for source in sources:
            following[source].append(target)
    return reached(start, lambda name: following.get(name, ()))


def upstream(start: Iterable[str], flows: Iterable[Flow]) -> set[str]:
    """The names that flow into something in `start`, itself included."""
    return downstream(start, [(source, frozenset({target})) for target, sources in flows for source in sources])


def _flows(core: Core, statement: gast.stmt, reads: Reads) -> list[Flow]:
    """(what changes, what it is computed from); a write changes everything that may share the memory."""
    target, tape = written(statement), tape_of(statement)
    if call_of(statement) is not None:
        return _call_flows(core, statement)
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            return [(name, frozenset(reads(core, value)))]
        case gast.Assign(value=value) | gast.AugAssign(value=value) if target:
            sources = frozenset(reads(core, value))
            shared = memory(core)
            return [(other, sources) for other in core.types if other == target or shared.may_alias(other, target)]
        case gast.Expr(value=gast.Call(args=[*_, value])) if tape:
            return [(tape, frozenset(reads(core, value)))]
    return []


def _call_flows(core: Core, statement: gast.stmt) -> list[Flow]:
    """All that a call of a function of the program gives or changes may come from any argument, unless it has a rule."""
    call, through = statement.value, links(statement.value).through
    parts = [call] if through is None else [call.args[k] for k in through]
    sources = frozenset().union(*(differentiable_reads(core, part) for part in parts))
    found, changed = memory(core), changed_by(statement)
    targets = [other for other in core.types if other in changed or any(found.may_alias(other, name) for name in changed)]
    result = defined(statement)
    return [(target, sources) for target in ([result] if result else []) + targets]


def differentiable_reads(core: Core, value: gast.expr) -> set[str]:
    """The names through which a derivative can flow into an operation: not indices, shapes, or operands of flat functions."""
    match value:
        case gast.Subscript(value=gast.Name(id=base)):
            return {base} if is_differentiable(core.types.get(base)) else set()
        case gast.Attribute() | gast.Subscript() | gast.Compare() | gast.BinOp(op=gast.FloorDiv()):
            return set()
        case gast.Call():
            rule = RULES.get(primitive(value) or '')
            if rule is not None and rule.kind == 'inactive':
                return _float_statics(core, rule, value)
            if rule is not None and rule.linear_in:     # by its other operands it has no derivative
                operands, _ = rule.bind(value.args, {k.arg: k.value for k in value.keywords})
                called = [*(name for name in rule.operands if name != rule.variadic), *[rule.variadic] * len(operands)]
                linear = [operand for operand, name in zip(operands, called, strict=False) if name in rule.linear_in]
                value = gast.Tuple(elts=linear, ctx=gast.Load())
    return {name for name in names(value) if is_differentiable(core.types.get(name))}


def _float_statics(core: Core, rule: Rule, value: gast.Call) -> set[str]:
    """Floats where flat functions expect constants (`np.arange(0.0, x)`): they stay active, so that the pullback refuses them."""
    _, statics = rule.bind(value.args, {k.arg: k.value for k in value.keywords})
    found = {name for node in statics.values() for name in names(node)}
    return {name for name in found if getattr(getattr(core.types.get(name), 'dtype', None), 'kind', '') in ('f', 'c')}
