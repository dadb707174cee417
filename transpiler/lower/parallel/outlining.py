"""Loops whose iterations may run apart become functions of their own, which run on one range of iterations after the other."""
from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import gast
import numpy as np

from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, all_written, blocks, defined, merged_by, names
from transpiler.core.text import dump
from transpiler.lower.loops.invariants import iterations
from transpiler.lower.parallel.cost_model import of_iteration
from transpiler.lower.parallel.extent_bounds import at_most, windows
from transpiler.lower.parallel.safety import has_harmless_iterations
from transpiler.lower.parallel.size_arguments import with_sizes_named
from transpiler.lower.primitives.elementwise import narrowed
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.optimize.rewriting.rename import rename_program
from transpiler.passes import remark, rewrite
from transpiler.values.dims import Dim
from transpiler.values.types import INT, Array, Scalar, Type, kind_of


@rewrite('threads', surface=True)
def in_threads(core: Core, target: Target = CPU) -> Core:
    """Hand the iterations of loops to several threads, if there is enough to do: that is decided when the program runs.

    Every part of a loop adds up for itself; then the parts' sums are added, in order.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.emit import emit
    >>> from transpiler.values.types import FLOAT
    >>> types = {'x': Array(np.dtype(float), (None,)), 'y': Array(np.dtype(float), (None,)), 's': FLOAT, 'i': INT}
    >>> text = '''
    ... y = np.empty(x.shape)
    ... s = 0.0
    ... for i in range(0, x.shape[0], 1, add=(s,)):
    ...     y[i] = 2.0 * x[i]
    ...     s = s + x[i]
    ... return y, s'''
    >>> print(emit(in_threads(parse(text, types=types, params='x'))).text, end='')
    import numpy as np
    <BLANKLINE>
    from transpiler_kernels.threads import in_parts, parts_of
    <BLANKLINE>
    <BLANKLINE>
    def f_part(part, low, count, s_parts, x, y):
        low = np.maximum(low, 0)
        s = -0.0
        for offset in range(count):
            i = low + offset
            y[i] = 2.0 * x[i]
            s = s + x[i]
        s_parts[part] = s
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        y = np.empty(x.shape)
        s = 0.0
        parts = parts_of(x.shape[0], x.shape[0] * 7)
        s_parts = np.empty(parts)
        in_parts(f_part, parts, x.shape[0], s_parts, x, y)
        for part in range(parts):
            s = s + s_parts[part]
        return y, s
    """
    outlining = _Outlining(core, target)
    body = outlining.block(core.body, False)
    if not outlining.functions:
        return core
    return core.with_body(body, types=MappingProxyType(outlining.types)).with_functions({**outlining.functions, **core.functions})


class _Outlining:
    def __init__(self, core: Core, target: Target):
        self.core, self.target, self.types = core, target, dict(core.types)
        self.functions: dict[str, Core] = {}
        self.alike: dict[tuple, tuple[str, tuple[str, ...]]] = {}  # the function that does so, and its names in order
        self.windows = windows(core.body)
        self.before: list[gast.stmt] = []  # the outermost loop
        self.products = {defined(s) for s in core.statements if _is_product(getattr(s, 'value', None))}
        self.supply = Supply({*core.inputs, *core.types, *all_defined(core.body), core.name, *core.functions})

    def block(self, body: Sequence[gast.stmt], inside: bool) -> list[gast.stmt]:
        """Statements; `inside`: of a loop, where only loops of loops are worth it, and those through the items of tables."""
        made: list[gast.stmt] = []
        for statement in body:
            new = self.statement(statement, inside)
            if not inside:
                made, self.before = [*made, *self.before], []
            made += new
        return made

    def statement(self, statement: gast.stmt, inside: bool) -> list[gast.stmt]:
        if isinstance(statement, gast.For) and self.is_worth_it(statement, inside):
            if has_harmless_iterations(statement, self.types):
                return self.outlined(statement, inside)
            remark(f'{_loop_of(statement)} runs in one thread: something in it might fail')
        elif isinstance(statement, gast.For) and not inside:
            remark(f'{_loop_of(statement)} runs in order: iterations need each other, or it may be left early')
        within = inside or isinstance(statement, (gast.For, gast.While))
        return [with_blocks(statement, [self.block(b, within) for b in blocks(statement)]) if blocks(statement) else statement]

    def is_worth_it(self, loop: gast.For, inside: bool) -> bool:
        if merged_by(loop) is None:
            return False
        if at_most(build.binary(iterations(loop), gast.Mult, of_iteration(loop)), self.windows) < self.target.loops.worth:
            return False
        end = loop.iter.args[1]
        of_table = _is_product(end) or getattr(end, 'id', None) in self.products
        return not inside or of_table or any(True for _ in names(of_iteration(loop)))

    def outlined(self, loop: gast.For, inside: bool) -> list[gast.stmt]:
        """What stands in the place of a loop; the function is added to the others, and runs all of a loop with little to do."""
        merged, origin, role, helpers = merged_by(loop), loop.origin, loop.role, self.target.loops
        parts, count = (self.fresh(name, INT) for name in ('parts', 'turns'))
        made = [build.assign(count, iterations(loop), origin, role)] if not _is_plain(iterations(loop)) else []
        number = build.name(count) if made else iterations(loop)
        work = build.binary(number, gast.Mult, of_iteration(loop))
        made.append(build.assign(parts, build.call(helpers.parts, number, work), origin, role))
        sums = {name: self.supply.take(f'{name}_parts') for name in merged}
        apart, sizes = with_sizes_named(loop, self.supply)
        read = live_before([*apart.body]) | {*names(apart.iter.args[0]), *names(apart.iter.args[2])}
        sizes = {name: size for name, size in sizes.items() if name in read}
        captured = sorted(read - {loop.target.id, *merged, *sizes})
        function, order = self.shared(self.function(apart, sums, [*captured, *sizes]))
        remark(f'{_loop_of(loop)} runs as `{function}`, in several threads if there is enough to do')
        arguments = [sizes.get(name, name) for name in order]
        run = helpers.in_parts if self.are_apart(captured, loop) else helpers.sharing
        call = build.call(run, f'call.{function}', parts, number, *arguments)
        shared = [build.effect(call, origin, role), *self.joined(sums, merged, parts, loop)]
        if not inside:
            return [*made, *self.room(sums, build.name(parts), loop), *shared]
        self.before += self.room(sums, build.call(helpers.most_parts), loop)
        return [*made, *shared]

    def are_apart(self, captured: Iterable[str], loop: gast.For) -> bool:
        """Whether surely no memory that a loop writes is reached by two of the names that it gets: what `in_parts` wants."""
        found, given = memory(self.core), [name for name in captured if not isinstance(self.types.get(name), Scalar)]
        written = found.of(*all_written([loop]))
        together = (found.of(one) & found.of(other) & written for one, other in itertools.combinations(given, 2))
        return all(isinstance(self.types.get(name), Array) and found.of(name) for name in given) and not any(together)

    def room(self, sums: Mapping[str, str], size: gast.expr, loop: gast.For) -> list[gast.stmt]:
        """Arrays for what each part gives."""
        made = []
        for name, array in sums.items():
            dtype = self.types[name].dtype
            self.types[array] = Array(dtype, (Dim.symbol('parts'),))
            made.append(build.assign(array, new_array('numpy.empty', size, dtype), loop.origin, loop.role))
        return made

    def joined(self, sums: Mapping[str, str], merged: Mapping[str, str], parts: str, loop: gast.For) -> list[gast.stmt]:
        if not sums:
            return []
        part = self.fresh('part', INT)
        body = []
        for name, array in sums.items():
            given = build.subscript(array, part)
            value = self.sum(name, given) if merged[name] == 'add' else build.call(f'numpy.{merged[name]}', name, given)
            body.append(build.assign(name, value, loop.origin, loop.role))
        return [build.counted(part, 0, parts, 1, body, loop.origin, loop.role)]

    def sum(self, name: str, given: gast.expr) -> gast.expr:
        """What a number is once more is added to it: NumPy's integers wrap around here as they do in the loop."""
        type_ = self.types[name]
        long = type_.dtype == np.int64 and not type_.weak
        plus = self.target.integers.wrapping.format('add')
        whole = build.call(plus, name, given) if long else build.binary(name, gast.Add, given)
        return whole if type_.weak else narrowed(self.target, whole, np.add, type_.dtype, 0).node

    def shared(self, function: Core) -> tuple[str, tuple[str, ...]]:
        """The name of a function that does this, an earlier one if only names differ; what is handed to it, in its order."""
        key, order = in_order(function)
        if key not in self.alike:
            name = self.supply.take(f'{self.core.name}_part')
            self.functions[name] = replace(function, name=name)
            self.alike[key] = name, order
        name, met = self.alike[key]
        mine = dict(zip(met, order, strict=True))
        return name, tuple(mine[param.name] for param in self.functions[name].params[3:])

    def function(self, loop: gast.For, sums: Mapping[str, str], captured: Iterable[str]) -> Core:
        """The function that runs some of the iterations."""
        own = Supply({*captured, *sums.values(), *all_defined([loop])})
        part, low, count, offset = numbers = tuple(map(own.take, ('part', 'low', 'count', 'offset')))
        origin, role = loop.origin, loop.role
        start, _, step = loop.iter.args
        merged = merged_by(loop)
        body = [build.assign(low, build.call('numpy.maximum', low, 0), origin, role)]  # tells compilers that no index is negative
        body += [build.assign(name, _neutral(self.types[name], merged[name]), origin, role) for name in sums]
        here = [build.assign(loop.target.id, _place(low, offset, start, step), origin, role)]
        body.append(build.counted(offset, 0, count, 1, [*here, *loop.body], origin, role))
        body += [build.assign(build.subscript(array, part), build.name(name), origin, role) for name, array in sums.items()]
        body.append(build.give(build.constant(None), origin))
        types = {**self.types, **dict.fromkeys(numbers, INT)}
        params = tuple(Param(n, Leaf(n)) for n in (part, low, count, *sums.values(), *captured))
        return Core(self.core.name, params, tuple(body), MappingProxyType(types), self.core.hints, origin, is_part=True,
                    ordered=in_c_order(self.core).intersection(captured))

    def fresh(self, base: str, type_: Type) -> str:
        name = self.supply.take(base)
        self.types[name] = type_
        return name


def _is_product(number: gast.AST | None) -> bool:
    return isinstance(number, gast.BinOp) and isinstance(number.op, gast.Mult)


def in_order(function: Core) -> tuple[tuple, tuple[str, ...]]:
    """What is equal for functions in which only names differ, and the names in the order in which they are met."""
    met = dict.fromkeys(name for statement in function.body for name in names(statement))
    order = (*met, *(param.name for param in function.params if param.name not in met))
    table = {name: f'{k}' for k, name in enumerate(order)}
    counters = [table[param.name] for param in function.params[:3]]
    kinds = ((kind_of(function.types.get(name)), name in function.ordered) for name in order)
    return (dump(rename_program(function, table).body), *kinds, *counters), order


def _loop_of(statement: gast.For) -> str:
    return f'the loop of line {statement.origin.line}' if statement.origin is not None else 'a loop'


def _place(low: str, offset: str, start: gast.expr, step: gast.expr) -> gast.expr:
    """`start + step * (low + offset)`"""
    place: gast.expr = build.binary(low, gast.Add, offset)
    if not _is(step, 1):
        place = build.binary(step, gast.Mult, place)
    return place if _is(start, 0) else build.binary(start, gast.Add, place)


def _neutral(type_: Scalar, how: str) -> gast.expr:
    """What a sum begins with, or an extreme."""
    dtype = type_.dtype
    if how == 'add':
        value = -dtype.type(0)  # that of floats is negative: `0.0 + -0.0` is 0.0
    elif dtype.kind == 'f':
        value = dtype.type(-np.inf if how == 'maximum' else np.inf)
    else:
        value = dtype.type(np.iinfo(dtype).min if how == 'maximum' else np.iinfo(dtype).max)
    return build.constant(value.item() if dtype in (float, int) else value)


def _is_plain(count: gast.expr) -> bool:
    match count:
        case gast.Name() | gast.Constant() | gast.Subscript(value=gast.Attribute(value=gast.Name(), attr='shape')):
            return True
    return False


def _is(node: gast.expr, value: int) -> bool:
    return isinstance(node, gast.Constant) and node.value == value
