"""A program cut in two: what does not depend on some parameters is computed first, and what it leaves is handed over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.dataflow.closure_conversion import parameters
from transpiler.analyses.dataflow.definitions import Definitions
from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.memory.aliases import OUTSIDE, memory, tape_of
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.memory_order import by_order, lies_in_c_order
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.functions import reachable
from transpiler.core.indices import copies
from transpiler.core.language import Core, Hint, Param, leaves
from transpiler.core.query import all_defined, all_reads, all_written, defined, names, primitive, walk
from transpiler.errors import Origin, UnsafeMutation
from transpiler.optimize.rewriting.flatten import Flattener
from transpiler.passes import rewrite
from transpiler.rules.base.registry import RULES
from transpiler.transforms.shared.defensive_copies import protect_arguments, unused
from transpiler.transforms.shared.handed_residuals import Handing
from transpiler.transforms.shared.placeholders import blank, lists_first, without_value
from transpiler.transforms.shared.shape_expressions import Available
from transpiler.transforms.sweeps.singularities import singular
from transpiler.values.types import INT, Array, Tape, Type, Unknown

BLANKS = frozenset(f'numpy.{name}{like}' for name in ('zeros', 'ones', 'empty') for like in ('', '_like'))


def cut(core: Core, late: Collection[str], titles: tuple[str, str], given: Collection[int] = (0,)) -> tuple[Core, Core]:
    """The two halves of a program whose result is a tuple; `late` are the parameters that only the second one has.

    The first gives the parts of the result at the positions `given`, which do not depend on late parameters (one alone as it
    is), and a tuple of what the second one reads; the second takes that, item for item, and the late parameters, and gives the
    other parts. It may be called many times: nothing that was handed over changes, nor is it memory that others may change.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.emit import emit
    >>> core = parse('y = np.sin(x); d = np.cos(x); v = d * x_dot; return y, v', params=['x', 'x_dot'])
    >>> for half in cut(core, ['x_dot'], ('f_first', 'f_second')):
    ...     print(emit(half).text[emit(half).text.index('def') :].rstrip())
    def f_first(x):
        y = np.sin(x)
        d = np.cos(x)
        return y, (d,)
    def f_second(d, x_dot):
        v = d * x_dot
        return v
    """
    own = [param for param in core.params if param.name in late]
    sides = _Sides(core, {name for param in own for name in leaves(param.tree)})
    for statement in core.body[:-1]:
        sides.put(statement)
    sides.look_again()
    early = [part for place, part in enumerate(core.result.elts) if place in given]
    rest = _together([part for place, part in enumerate(core.result.elts) if place not in given])
    sides.check_early(early)
    sides.check_apart(rest, core.body[-1].origin)
    sides.first = lists_first(sides.first, all_reads(sides.second) | all_written(sides.second))
    makes, before = all_defined(sides.first), {name for param in core.params if param not in own for name in leaves(param.tree)}
    needed = sorted(live_before([*sides.second, build.give(rest)]) & (makes | before))
    handing = Handing(core, sides.first)
    early, handed = handing.apart(needed, early)
    result = build.expression((_together(early), build.expression(tuple(handed))))
    maybe = [without_value(name, sides.first[-1], sides.first) for name in needed if name in makes]
    blanks = _Blanks(core, before)
    starts = [s for name, place in dict(chain(*(found.items() for found in maybe))).items() for s in blanks.made(name, place)]
    body = [*starts, *sides.first, *handing.copies.statements]
    first = handing.copies.known_to(_half(core, titles[0], [p for p in core.params if p not in own], body, result))
    wild, taken = singular(core).values, parameters(needed, core.hints, [param.name for param in own])
    taken = [replace(param, wild=name in wild) for name, param in zip(needed, taken, strict=True)]
    second = _half(core, titles[1], [*taken, *own], sides.second, rest)
    second = second.with_body(second.body, types=MappingProxyType({**second.types, **blanks.types}))
    return blanks.flat.register(first), unspent(protect_arguments(second))


class _Blanks:
    """What is handed over for names that have no value on the path taken: of the sizes that their types say."""

    def __init__(self, core: Core, before: Iterable[str]):
        self.core, self.sizes, self.flat = core, Available(core.types, (), before), Flattener(core)
        self.types: dict[str, Type] = {}    # of those whose sizes are not at hand: nobody may ask them

    def made(self, name: str, place: gast.stmt) -> list[gast.stmt]:
        type_ = self.core.types.get(name, Unknown())
        if not isinstance(type_, Array) or not type_.dims:
            return [blank(name, type_, place)]
        sizes, found = self.sizes.shape(type_.dims), []
        if sizes is None:
            self.types[name] = replace(type_, dims=(None,) * len(type_.dims))
            return [blank(name, type_, place)]
        for axis, size in enumerate(sizes):
            if not isinstance(size, gast.Constant):
                statement = build.assign(self.flat.fresh(INT), size, place.origin, 'storage')
                found += self.flat.assign(statement, size)
                sizes[axis] = statement.targets[0]
        return [*found, blank(name, type_, place, sizes)]


def _together(parts: Sequence[gast.expr]) -> gast.expr:
    return parts[0] if len(parts) == 1 else build.expression(tuple(parts))


def _half(core: Core, title: str, params: Iterable[Param], body: Sequence[gast.stmt], result: gast.expr) -> Core:
    last = core.body[-1]
    half = core.with_body([*body, build.give(result, last.origin, last.role)], name=title, params=tuple(params))
    return half.with_functions(reachable(half, core.functions))


@rewrite('keep lists')
def unspent(core: Core) -> Core:
    """Work on copies of the lists that are given and change.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(unspent, 'y = tape.pop(t); return y', types={'t': Tape(FLOAT), 'y': FLOAT})
    t_ = t.copy()
    y = t_.pop()
    return y
    """
    changed = {tape for s in core.statements if (tape := tape_of(s)) is not None} | set(all_written(core.body))
    spent = [name for name in core.inputs if isinstance(core.types.get(name), Tape) and name in changed]
    if not spent:
        return core
    table = {name: unused(f'{name}_', core.types) for name in spent}
    copies = [build.assign(new, build.call('tape.copy', old), core.body[0].origin, 'storage') for old, new in table.items()]
    types = {**core.types, **{new: core.types[old] for old, new in table.items()}}
    hints = {**core.hints, **{new: Hint(core.base(old), core.is_temporary(old)) for old, new in table.items()}}
    body = [*copies, *(rename(s, table) for s in core.body)]
    return core.with_body(body, types=MappingProxyType(types), hints=MappingProxyType(hints))


@dataclass
class _Sides:
    """Which statements run first and which second; `changed` are the names that the second ones define."""

    core: Core
    changed: set[str]
    first: list[gast.stmt] = field(default_factory=list)
    second: list[gast.stmt] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    touched: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()

    def put(self, statement: gast.stmt) -> None:
        """A statement goes first unless it reads what a second one makes, or changes what a second one before it meets."""
        found = memory(self.core)
        reads, makes = all_reads([statement]) | all_written([statement]), all_defined([statement])
        touches, writes = found.of(*reads), self._writes(statement)
        if not (reads & self.changed or makes & self.met or touches & self.written or writes & self.touched):
            self.first.append(statement)
            return
        self.second.append(statement)
        self.changed |= makes
        self.met |= reads | makes
        self.touched |= touches | writes
        self.written |= writes

    def check_early(self, parts: Iterable[gast.expr]) -> None:
        """Refuse parts of the result, given by the first half, that depend on second statements."""
        found = memory(self.core)
        if any(set(names(part)) & self.changed or found.of(*names(part)) & self.written for part in parts):
            raise UnsafeMutation(
                f'the pullback of `{self.core.name}` would change a result that was given before',
                self.core.body[-1].origin,
                why='they share memory that is written in place',
                instead='return a copy: `a.copy()`',
            )

    def _writes(self, statement: gast.stmt) -> frozenset[str]:
        """The memory that a statement changes: arrays and lists."""
        found = memory(self.core)
        lists = [found.list_itself(tape) for s in walk([statement]) if (tape := tape_of(s)) is not None]
        return found.of(*all_written([statement])).union(*lists)

    def look_again(self) -> None:
        """Views, sizes and zeros that second statements read are made again there, instead of being handed over."""
        counts, wanted = Definitions(self.core).total, all_reads(self.second) | all_written(self.second)
        filled = frozenset().union(*map(self._writes, self.first))
        for statement in reversed(self.first):
            name = defined(statement)
            once = isinstance(statement, gast.Assign) and name in wanted and counts.get(name) == 1
            if once and self._is_look(statement.value, self.core.types.get(name), counts, name not in filled):
                self.second.insert(0, statement)
                wanted |= all_reads([statement])

    def check_apart(self, rest: gast.expr, origin: Origin | None) -> None:
        """Refuse a second half, which gives `rest`, that changes memory it has under two names: handed over, or made again."""
        again = all_defined(self.second)
        blank = {defined(s) for s in self.first if isinstance(s, gast.Assign) and primitive(s.value) in BLANKS}
        owners: dict[str, str] = {}
        for name in sorted(live_before([*self.second, build.give(rest)]) | blank & again):
            shared = self._memory(name) & self.written - {OUTSIDE} if isinstance(self.core.types.get(name), (Array, Tape)) else ()
            other = next((owners[root] for root in shared if owners.setdefault(root, name) != name), None)
            if other is not None:
                raise self._not_apart(*sorted((name, other), key=lambda one: len(self._memory(one))), origin)

    def _not_apart(self, whole: str, view: str, origin: Origin | None) -> UnsafeMutation:
        places = [s.origin for s in walk(self.first) if defined(s) == view and s.role == 'primal']
        return UnsafeMutation(
            f'the pullback of `{self.core.name}` cannot be a function of its own',
            places[-1] if places else origin,
            why=f'it changes memory that it reads as `{self.core.base(whole)}` and as `{self.core.base(view)}`; what these '
                'share may depend on the path that is taken',
            instead='copy one of the arrays, `a.copy()`, or read a number: `x[i]` in place of `x[..., i]`',
        )

    def _memory(self, name: str) -> frozenset[str]:
        """The memory of an array, or of a list and of the arrays on it."""
        is_list = isinstance(self.core.types.get(name), Tape)
        return Handing(self.core, self.first).within(name) if is_list else memory(self.core).of(name)

    def _is_look(self, value: gast.expr, type_: Any, counts: Mapping[str, int], still_blank: bool) -> bool:
        """Whether an operation only looks at what is there, the shape of an array or a view, or makes an array of zeros."""
        if any(counts.get(name, 1) > 1 for name in names(value)):
            return False
        match value:
            case gast.Attribute() | gast.Subscript(value=gast.Attribute()):
                return True
            case gast.Call(func=gast.Name(id=name)) if name in BLANKS:
                return still_blank
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                if not isinstance(self.core.types.get(base), Array) or copies(index, self.core.types):
                    return False
                # a number is what was there when it was read; a view shows what is there now, wherever it is taken
                return isinstance(type_, Array) or not memory(self.core).of(base) & memory(self.core).written
        if not isinstance(value, gast.Call) or is_fresh(value):
            return False
        seen = memory(self.core).of(*names(value))
        return bool(seen) and (self._is_view(value) or not seen & memory(self.core).written)

    def _is_view(self, value: gast.Call) -> bool:
        """Whether a call certainly gives a view; one that copies after all shows what was there before."""
        name = primitive(value) or ''
        ordered = not by_order(value) or lies_in_c_order(self.core, value.args[0])
        return name in RULES and RULES[name].view and ordered
