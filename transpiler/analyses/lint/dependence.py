"""What depends on what, in the three ways that matter to the lint."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

import gast

from transpiler.analyses.activity import Flow, differentiable_reads, downstream, flows, upstream
from transpiler.analyses.memory.effects import is_fresh, memory_reads
from transpiler.core.language import Core, Leaf, Node, Tree
from transpiler.core.query import all_defined, all_written, names, reads, written
from transpiler.rules.base.registry import RULES
from transpiler.values.types import Scalar, is_differentiable

# operands that only choose among the values of the others
SELECTORS: Mapping[str, tuple[str, ...]] = {'numpy.where': ('condition',), 'numpy.take': ('indices',),
                                            'numpy.take_along_axis': ('indices',), 'numpy.repeat': ('repeats',)}


@dataclass(frozen=True)
class Dependence:
    """Sets of names of one program.

    leaves:   the leaves of its parameters, and how the user would write each: `params['w']`
    smooth:   for every leaf that can carry a derivative, the names that a derivative by it flows into
    results:  the results that can carry a derivative, or all; where there are none, the arguments written into
    counted:  their value enters the result as a number, through steps of any kind
    used:     their value enters the result as a number, an index or a mask
    decisive: their value enters the result in any way: as a number, as an index, by a branch or a number of iterations
    shared:   the parameters and captured values whose memory a name may share
    """

    leaves: Mapping[str, str]
    smooth: Mapping[str, frozenset[str]]
    results: frozenset[str]
    counted: frozenset[str]
    used: frozenset[str]
    decisive: frozenset[str]
    shared: Mapping[str, frozenset[str]]

    def behind(self, used: Iterable[str]) -> list[str]:
        """How the user writes the parameters whose derivative flows into one of `used`."""
        used = set(used)
        return [self.leaves[leaf] for leaf, reached in self.smooth.items() if reached & used]


def dependence(core: Core) -> Dependence:
    """The dependences of a specialised program.

    >>> from transpiler.core.text import parse
    >>> found = dependence(parse('k = np.floor(x); v = w[i]; y = k * v; return y'))
    >>> found.behind(['k']), found.behind(['y']), sorted(found.counted), sorted(found.decisive - found.counted)
    ([], ['w'], ['k', 'v', 'w', 'x', 'y'], ['i'])
    """
    leaves = {name: text for p in core.params if p.kind != 'capture' for name, text in _leaves(p.tree, p.name)}
    derivative = flows(core, differentiable_reads)
    smooth = {leaf: frozenset(n for n in downstream([leaf], derivative) if is_differentiable(core.types.get(n)))
              for leaf in leaves if is_differentiable(core.types.get(leaf))}
    shared = _sharing(core)
    outputs = _outputs(core) or {name for name in all_written(core.body) if shared.get(name)}
    used = [*flows(core, value_reads), *_indices(core)]
    return Dependence(leaves, smooth, frozenset(outputs), frozenset(upstream(outputs, flows(core, number_reads))),
                      frozenset(upstream(outputs, used)), frozenset(upstream(outputs, [*used, *_control(core)])), shared)


def number_reads(core: Core, value: gast.expr) -> Set[str]:
    """The names whose value is used as a number: not the indices, the conditions and the shapes.

    >>> from transpiler.core.text import expression, parse
    >>> core = parse('return x')
    >>> sorted(number_reads(core, expression('np.where(c, a, b)'))), sorted(number_reads(core, expression('x[i]')))
    (['a', 'b'], ['x'])
    """
    match value:
        case gast.Call(func=gast.Name(id='python.len')):
            return set()
        case gast.Subscript(value=base):
            return memory_reads(base)
        case gast.IfExp(body=body, orelse=other):
            return memory_reads(body) | memory_reads(other)
        case gast.Call(func=gast.Name(id=name)) if name in RULES:
            rule = RULES[name]
            operands, _ = rule.bind(value.args, {k.arg: k.value for k in value.keywords})
            chosen = [o for o, label in zip(operands, rule.operands) if label in SELECTORS.get(name, ())]
            return {n for o in operands if o not in chosen for n in memory_reads(o)} if memory_reads(value) else set()
    return memory_reads(value)


def value_reads(core: Core, value: gast.expr) -> Set[str]:
    """The names whose value is read in any way; `x.shape` and `np.zeros_like(x)` read none."""
    return memory_reads(value)


def _indices(core: Core) -> list[Flow]:
    """The index of a write decides what the array holds."""
    return [(target, frozenset(reads(statement))) for statement in core.statements if (target := written(statement))]


def _control(core: Core) -> list[Flow]:
    """A branch or a loop decides what is computed inside."""
    return [(name, frozenset(reads(statement))) for statement in core.statements
            if isinstance(statement, (gast.If, gast.For, gast.While))
            for name in all_defined([statement]) | all_written([statement])]


def _outputs(core: Core) -> set[str]:
    """The results that can carry a derivative; if there are none, all of them."""
    results = set(names(core.body[-1]))
    return {name for name in results if is_differentiable(core.types.get(name))} or results


def _sharing(core: Core) -> Mapping[str, frozenset[str]]:
    """For every name of an array, the inputs whose memory it may share."""
    arrays = {name for name in (*core.inputs, *all_defined(core.body)) if not isinstance(core.types.get(name), Scalar)}
    views = [(target, frozenset(_base(value)) & arrays) for statement in core.statements
             for target, value in _bindings(statement) if target in arrays and not is_fresh(value)]
    reached = {name: downstream([name], views) for name in core.inputs if name in arrays}
    return {name: frozenset(i for i, shares in reached.items() if name in shares) for name in arrays}


def _bindings(statement: gast.stmt) -> Iterator[tuple[str, gast.expr]]:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            yield name, value


def _base(value: gast.expr) -> Iterable[str]:
    return names(value.value if isinstance(value, gast.Subscript) else value)


def _leaves(tree: Tree, text: str) -> Iterable[tuple[str, str]]:
    match tree:
        case Leaf(name):
            yield name, text
        case Node(kind, children, keys):
            for position, child in enumerate(children):
                key = keys[position] if keys else position
                yield from _leaves(child, f'{text}.{key}' if kind == 'object' else f'{text}[{key!r}]')
