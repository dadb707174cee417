"""One loop over examples: each takes its own path through statements that depend on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import gast

from transpiler.analyses.dataflow.definitions import surely, surely_before
from transpiler.core import build
from transpiler.core.build import new_array, rename, static_expression
from transpiler.core.language import Core, Hint
from transpiler.core.links import link
from transpiler.core.naming import unique
from transpiler.core.query import all_defined, names, parts, primitive, walk
from transpiler.core.query import defined as name_of
from transpiler.errors import TranspileError
from transpiler.rules.python import AGREED, AT_EACH_PLACE, IN_ONE_SHAPE
from transpiler.specialize.domain.literals import blank_number, shown
from transpiler.specialize.kinds.choices import flags_of_items
from transpiler.transforms.batch.dataflow import Flow, expressions
from transpiler.transforms.shared.shape_expressions import Available
from transpiler.values.types import Array, Scalar, Tape

KINDS = {'f': 'float', 'i': 'int', 'c': 'complex', 'b': 'bool'}


class Whole(Exception):
    """Parts of the program share memory in a way that asks for one loop over examples around all of it."""


@dataclass
class Examples:
    """Writes loops over examples; `hints` learns the names that it makes."""

    core: Core
    flow: Flow
    count: gast.expr
    whole: bool = False
    hints: dict[str, Hint] = field(default_factory=dict)

    def __post_init__(self):
        self.hints = dict(self.core.hints)
        self.used = {*self.core.types, *self.hints, *self.core.inputs}

    def fresh(self, base: str, temporary: bool = False) -> str:
        name = unique(base, self.used)
        self.used.add(name)
        self.hints[name] = Hint(base, temporary)
        return name

    def loop(self, statements: Sequence[gast.stmt], place: Available) -> list[gast.stmt]:
        """`for b in range(n)` around the statements; what is read elsewhere is put into arrays made before it."""
        inside = {id(s) for s in walk(statements)}
        defined = all_defined(statements)
        mentioned = list(dict.fromkeys(n for part in expressions(statements) for n in _in_order(part)))
        others = [s for s in self.core.statements if id(s) not in inside]
        outside = {n for part in expressions(others, inner=False) for n in names(part)}
        before = {*self.core.inputs, *filter(None, map(name_of, others))}
        given = [n for n in mentioned if n in self.flow.names and (n in before or n not in defined)]
        taken = [n for n in mentioned if n in defined and n in self.flow.names and n in outside]
        self._check(taken, outside)
        made_here = [n for n in given if n not in self.core.inputs]
        if not self.whole and not all(surely_before(n, statements[0], self.core.body) for n in made_here):
            raise Whole     # only some paths give it a value
        iteration = self.fresh('b')
        bases = {self.core.base(n) for n in (*given, *taken)}
        renamed = [n for n in mentioned if n in given or n in taken or n in defined and self.core.base(n) in bases]
        own = {n: self.fresh(f'{self.core.base(n)}_b', self.core.is_temporary(n)) for n in renamed}
        origin = statements[0].origin
        body = [s for n in given if not self._made_anew(n, statements) for s in self._read(n, own[n], iteration, origin)]
        body += [build.assign(own[n], self._blank(n, place), origin) for n in taken
                 if n not in given and not any(surely(n, s) for s in statements)]
        body += [rename(s, own) for s in statements]
        made, after = [], []
        for name in taken:
            ahead, inner, behind = self._kept(name, own[name], iteration, place, origin)
            made, body, after = made + ahead, body + inner, after + behind
        loop = build.counted(iteration, 0, self.count, 1, body, origin)
        if known := sorted(self.flow.one_by_one & {primitive(node) for s in statements for node in parts(s)}):
            those = ', '.join(shown(name.removeprefix('call.')) for name in known)
            link(loop, note=f'one example after the other: {those} takes no batch')
        return [*made, loop, *after]

    def _read(self, name: str, own: str, iteration: str, origin) -> list[gast.stmt]:
        """`own = name[iteration]`, a number of Python's again where it was one: it divides, counts, meets dtypes as those do."""
        type_ = self.core.types.get(name)
        if not isinstance(type_, Scalar) or not type_.weak:
            return [build.assign(own, build.subscript(name, iteration), origin)]
        item = self.fresh(self.core.base(name), temporary=True)
        kind = f'python.{KINDS[type_.dtype.kind]}'
        return [build.assign(item, build.subscript(name, iteration), origin), build.assign(own, build.call(kind, item), origin)]

    def _made_anew(self, name: str, statements: Sequence[gast.stmt]) -> bool:
        """Whether the statements give a name a value before they read it."""
        for statement in statements:
            if any(name in names(part) for part in expressions([statement])):
                return isinstance(statement, gast.Assign) and surely(name, statement) and name not in names(statement.value)
        return False

    def _check(self, taken: Iterable[str], outside: Iterable[str]) -> None:
        memory = self.flow.memory
        for name in taken:
            type_ = self.core.types.get(name)
            if isinstance(type_, (tuple, Tape)):
                if not self.whole:
                    raise Whole
                if not isinstance(type_, Tape) or getattr(type_.element, 'ndim', 0) is None:
                    raise TranspileError(
                        'a list of arrays that may differ in rank is a result of `vmap`', self.core.origin,
                        why='results of examples are stacked, so they have one shape',
                        instead='return an array of fixed size',
                    )
            if isinstance(type_, Scalar) or self.whole or not memory.of(name) & memory.written:
                continue
            if any(n != name and memory.may_alias(n, name) for n in outside):
                raise Whole

    def _blank(self, name: str, place: Available) -> gast.expr:
        """A value for a name that only some paths define."""
        match type_ := self.core.types.get(name):
            case Array(dtype, dims) if dims is not None:
                sizes = place.shape(dims)
                if sizes is None and not self.whole:
                    raise Whole
                return build.call('numpy.zeros', tuple(sizes or [0] * len(dims)), dtype=static_expression(dtype))
            case Scalar():
                return blank_number(type_)
        return build.constant(0.0)

    def _kept(self, name: str, own: str, iteration: str, place: Available, origin) -> tuple[list, list, list]:
        """What keeps the values of a name for all examples: before the loop, at the end of an iteration, after the loop."""
        type_ = self.core.types.get(name)
        if isinstance(type_, Tape):
            return self._kept_list(name, own, origin)
        dims = type_.dims if isinstance(type_, Array) else () if isinstance(type_, Scalar) else None
        sizes = None if dims is None else place.shape(dims)
        if sizes is None and not self.whole:
            raise Whole     # only results of the program must have one shape
        all_ = self.fresh(self.core.base(name), self.core.is_temporary(name))
        last = [build.assign(name, all_, origin)]
        if sizes is not None:
            shape = build.expression((self.count, *sizes)) if sizes else self.count
            return (
                [build.assign(all_, new_array('numpy.empty', shape, type_.dtype), origin)],
                [build.assign(build.subscript(all_, iteration), own, origin)],
                last,
            )
        if self._picked_by_mask(name):
            raise TranspileError(
                'the results of the examples have as many items as their masks pick', self.core.body[-1].origin,
                why='`vmap` stacks results, so they have one shape',
                instead='keep the shape: `np.where(mask, x, 0.0)`, or reduce what is picked, for example with `np.sum`',
            )
        ahead, inner, behind = self._kept_on_a_list(name, own, all_, origin)
        return ahead, inner, [*behind, *last]

    def _kept_on_a_list(self, name: str, own: str, all_: str, origin) -> tuple[list, list, list]:
        """What keeps values on a list, and makes the array `all_` of them, where sizes show only at run time."""
        self._refuse_no_examples()
        items = self.fresh(f'{self.core.base(name)}_list')
        return (
            [build.assign(items, build.call('tape.list'), origin)],
            [build.effect(build.call('tape.push', items, own), origin)],
            [build.assign(all_, build.made_of_lists(IN_ONE_SHAPE, items), origin)],
        )

    def _kept_list(self, name: str, own: str, origin) -> tuple[list, list, list]:
        """What keeps a list for all examples: their items one after the other, and how many each example has."""
        self._refuse_no_examples()
        flags = flags_of_items(self.core)
        items, lengths = (self.fresh(f'{self.core.base(name)}_{kind}') for kind in ('list', 'lengths'))
        length, place, item = (self.fresh(kind, temporary=True) for kind in ('length', 'k', 'item'))
        one = [build.assign(item, build.call('tape.item', own, place), origin),
               build.effect(build.call('tape.push', items, item), origin)]
        return (
            [build.assign(kept, build.call('tape.list'), origin) for kept in (items, lengths)],
            [build.assign(length, build.call('python.len', own), origin),
             build.effect(build.call('tape.push', lengths, length), origin),
             build.counted(place, 0, length, 1, one, origin)],
            [build.assign(name, build.made_of_lists(AGREED if name in flags else AT_EACH_PLACE, items, lengths), origin)],
        )

    def _refuse_no_examples(self) -> None:
        if isinstance(self.count, gast.Constant) and self.count.value == 0:
            raise TranspileError(
                'the shape of the result of a batch without examples shows only at run time', self.core.body[-1].origin,
                why='there is no example that shows it', instead='call it with at least one example',
            )

    def _picked_by_mask(self, name: str) -> bool:
        """Whether a value is what a mask picks that differs from example to example."""
        flags = lambda n: getattr(getattr(self.core.types.get(n), 'dtype', None), 'kind', '') == 'b' and n in self.flow.names
        return any(
            isinstance(s, gast.Assign) and s.targets[0].id == name and isinstance(s.value, gast.Subscript)
            and any(isinstance(self.core.types.get(n), Array) and flags(n) for n in names(s.value.slice))
            for s in self.core.statements if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
        )



def _in_order(part: gast.AST) -> list[str]:
    return list(names(part))
