"""Operations on whole arrays become loop nests, neighbours over one domain the same one."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import gast

from transpiler.analyses.dataflow.liveness import Names, before, live_after
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, reads
from transpiler.lower.checks.dead_views import without_idle_views
from transpiler.lower.fusion.accesses import Known, Size
from transpiler.lower.fusion.codegen import Nests
from transpiler.lower.fusion.groups import Group, begun
from transpiler.lower.fusion.invariant_sizes import Lists, Sizes, learn, of_arguments, start, steady
from transpiler.lower.fusion.operations import Operation, operation
from transpiler.lower.fusion.sizes import agree, spelled
from transpiler.lower.fusion.unfused import left_alone
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import INT


@rewrite('fused loops')
def fuse(core: Core, quiet: Quiet = never, keyed: bool = True, target: Target = CPU) -> Core:
    """Write operations that go through arrays place by place as loops, and those over the same domain as one nest.

    quiet: before which statements the program may give up, so that sizes may be taken to be equal
    keyed: whether it is called with arguments of the sizes only that its types tell, so that equal ones are equal

    >>> from transpiler.passes import show
    >>> from transpiler.values.dims import Dim
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> row = Array(np.dtype(float), (Dim.symbol('n', large=True),))
    >>> show(fuse, 'y = x * x; z = np.exp(y); return z', params='x', types={n: row for n in 'xyz'}, temporaries='y')
    size = x.shape[0]
    z = np.empty(size)
    for i in range(size):
        x_1 = x[i]
        y_1 = x_1 * x_1
        z_1 = np.exp(y_1)
        z[i] = z_1
    return z
    """
    return _Fusing(core, quiet, keyed, target).result()


class _Fusing:
    def __init__(self, core: Core, quiet: Quiet, keyed: bool, target: Target):
        self.core, self.memory, self.live, self.quiet = core, memory(core), live_after(core), quiet
        self.nests = Nests(core, target)
        self.known = Known(core, keyed, in_c_order(core), target)
        self.known.sizes |= of_arguments(core, keyed)
        self.alone = left_alone(core, quiet, target)
        self.lists, self.depth = Lists(core), 0
        self.open: list[Group] = []

    def result(self) -> Core:
        body = self._block(self.core.body)
        if not self.nests.written:
            return self.core
        builder = self.nests.builder
        return without_idle_views(self.core.with_body(body, types=dict(builder.types), hints=dict(builder.hints)))

    def _block(self, body: Sequence[gast.stmt], changed: Collection[str] = (), sizes: Mapping[str, Sizes] = MappingProxyType({})
               ) -> list[gast.stmt]:
        """`changed`: the names to which iterations of a loop give other values; `sizes`: those of arrays in all of them."""
        around, self.open, before_it, self.known = self.open, [], self.known, self.known.inside(changed)
        self.known.sizes |= sizes
        with self.nests.builder.nested() as made:
            for statement in body:
                self._place(statement)
            if self.open:
                self._write(self.open, self.live[body[-1]])
        self.open, self.known = around, before_it
        return made

    def _place(self, statement: gast.stmt) -> None:
        found = self._operation(statement)
        self.lists.pushed(self.known, statement)
        stored = found.target if found is not None and found.into is not None else None
        own = next((g for g in self.open if found is not None and g.takes(found, self.known)), None)
        live = before(statement, self.live[statement])
        waiting = [g for g in self.open if g is not own and g.waits_for(statement, stored)]
        if found is None and len(waiting) == 1 and waiting[0].may_follow(statement, self.core.types):
            waiting[0].follow(statement)
            self.known.forget(all_defined([statement]))
            return
        self._write(waiting, live)
        if found is not None and own is None and found.into is not None and not found.fills:
            self.nests.show(found, self.known)
        if found is not None and own is not None:
            own.add(found)
        elif found is not None and (new := begun(found, self.memory, self.known)) is not None:
            self._write([g for g in self.open if g.is_over(found.domain, self.known)], live)
            self.open.append(new)
        else:
            if stored is not None:
                self._write(self.open, live)
            self._keep(statement, found)
            return
        if found.into is None:
            self.known.made(found.target, found.gives)

    def _operation(self, statement: gast.stmt) -> Operation | None:
        """The statement as an operation over a domain; what it takes for that is asked at once."""
        found = operation(statement, self.known) if defined(statement) not in self.alone else None
        if found is None or found.is_total and not any(group.makes_some_of(found.uses) for group in self.open):
            return None
        if found.is_product and not self._is_worth_loops(found):
            return None
        quiet = self.quiet(statement)
        if not all(self.nests.can_ask(agreement, self.known, quiet) for agreement in found.agreements):
            return None
        for agreement in found.agreements:
            self.nests.ask(agreement, self.known, statement)
            agree(self.known, agreement)
        if found.agreements:
            self._merge()
        return found

    def _is_worth_loops(self, product: Operation) -> bool:
        """Whether a matrix would be made for its product alone; a library multiplies by what lies in memory anyway."""
        matrix = product.uses[0]
        own = next((group for group in self.open if group.makes_some_of([matrix])), None)
        return own is not None and not own.goes_down() and matrix.name not in self.live[product.statement]

    def _merge(self) -> None:
        """Groups that turn out to be over one domain become one, if their operations may be done one after the other."""
        for first, second in itertools.combinations(list(self.open), 2):
            if first in self.open and second in self.open and first.is_over(second.domain, self.known):
                joint = first.with_all_of(second, self.known)
                if joint is not None:
                    self.open[self.open.index(first)] = joint
                    self.open.remove(second)

    def _keep(self, statement: gast.stmt, found: Operation | None) -> None:
        """A statement that stays as it is, but for the blocks in it."""
        if blocks(statement):
            iterations = not isinstance(statement, gast.If)
            sizes = self._steady(statement) if iterations else {}
            self.depth += iterations
            changed = all_defined([statement])
            inner = [self._block(list(block), changed if iterations else (), sizes) for block in blocks(statement)]
            statement = with_blocks(statement, inner)
            self.depth -= iterations
            self.known.forget(changed)
            self.known.sizes |= sizes
        else:
            learn(self.known, statement, found)
            self.lists.popped(self.known, statement)
        self.nests.builder.append(statement)

    def _steady(self, loop: gast.For | gast.While) -> dict[str, Sizes]:
        """The sizes that arrays keep through a loop; those that only arrays tell which it changes get names before it."""
        starts, found = steady(self.known, loop, self.live, self.alone)
        used = {size for sizes in found.values() for size in sizes}
        named: dict[Size, Size] = {}
        with self.nests.builder.at(loop.origin, loop.role):
            for place, before_it in enumerate(starts):
                if (start(loop), place) in used:
                    name = self.nests.builder.define('size', spelled(self.known, before_it), INT).name
                    named[start(loop), place] = '#name', name
                    if not self.depth:
                        self.lists.permanent.add(name)
        return {array: tuple(named.get(size, size) for size in sizes) for array, sizes in found.items()}

    def _write(self, groups: Sequence[Group], live: Names) -> None:
        for group in list(groups):
            self.open.remove(group)
            self.nests.write(group, live.union(*map(reads, group.after)), self.known)
