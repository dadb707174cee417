"""Names that get another list in a loop, or on one path: `pts = [f(p, q) for p, q in zip(pts, pts[1:])]`, as `pts[:] = [...]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.errors import UnsafeMutation
from transpiler.rules.python import TAKE_OVER
from transpiler.specialize.containers.heap import SEVERAL, Frozen, Kept
from transpiler.specialize.control.joins import Side
from transpiler.specialize.control.loop_trial import Growth, Iteration
from transpiler.specialize.domain.bindings import Binding, Closure, Conflict, Derived, Partial, Ref, flatten, fold
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import evaluates
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import Key, Rebound, Rewritten
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List


@dataclass(eq=False)
class Rebinding(Component):
    """Where a name refers to another list at the end of an iteration than at its start, or on one path than on the other, the
    program is run again with the name among `rebound`: it keeps one list, which takes over the items of those that the name is
    given.

    What referred to the list before refers to a copy from then on, what referred to the other one refers to the list. Where
    two lists then stand for one, neither may be changed but by giving its name another one.
    """

    keeping: dict[tuple[int, str], 'Kept'] = field(default_factory=dict)  # the lists that names keep, by their frames
    iterating: tuple[Binding, ...] = ()  # what loops run over at the moment
    iteration_start: int = 0  # cells with smaller numbers are older than the iteration, or the call, that is being run

    def settle(
        self, frame: Frame, statement: gast.For | gast.While, run: Callable[[Iteration], None], growth: Growth = Growth()
    ) -> Iteration:
        with self._back_to_these():
            self._keep_rebound(frame, statement.body)
            return self.ev.iterations.settle(frame, statement, run, growth)

    def trial(self, frame: Frame, iteration: Iteration, run: Callable[[Iteration], None]) -> Iteration:
        with self._back_to_these():
            self.iteration_start = next(self.ev.heap.numbers)
            return self.ev.iterations.trial(frame, iteration, run)

    def run_body(self, frame: Frame, body: list[gast.stmt]) -> Binding:
        with self._back_to_these():
            self.iteration_start = next(self.ev.heap.numbers)
            self._keep_rebound(frame, body)
            try:
                return self.ev.statements.run_body(frame, body)
            except Frozen as error:
                for name, binding in frame.env.items():
                    if binding == Ref(error.cell) and self._key(frame, name) not in {None, *self.ev.assumed.rebound}:
                        raise Rebound(self._key(frame, name)) from None
                raise

    def _keep_rebound(self, frame: Frame, body: list[gast.stmt]) -> None:
        """Have the names that a body gives other lists keep theirs."""
        rebound = self.ev.assumed.rebound
        for name in sorted(stores(body)) if rebound else ():
            if self._key(frame, name) in rebound:
                self._keep(frame, name)

    def both(self, frame: Frame, *options: Any) -> bool:
        with self._back_to_these():
            return self.ev.branches.both(frame, *options)

    @contextmanager
    def _back_to_these(self) -> Iterator[None]:
        """What names keep from now on, they keep until the end of this."""
        outer = self.keeping, self.iteration_start
        try:
            yield
        finally:
            self.keeping, self.iteration_start = outer

    @contextmanager
    def running_over(self, iterator: Binding) -> Iterator[None]:
        """While a loop reads items one by one."""
        outer, self.iterating = self.iterating, (*self.iterating, iterator)
        try:
            yield
        finally:
            self.iterating = outer

    def merge(self, frame: Frame, name: str, test: Binding, left: Side, right: Side) -> Binding:
        key = self._key(frame, name) if self._is_list(left[0]) and self._is_list(right[0]) else None
        try:
            found = self.ev.joins.merge(frame, name, test, left, right)
        except Rewritten as error:
            error.otherwise = error.otherwise or key
            raise
        held = self.ev.heap.contents[found.cell] if isinstance(found, Ref) else None
        if key not in {None, *self.ev.assumed.rebound} and isinstance(held, Conflict):
            self.ev.heap.contents[found.cell] = Conflict(lambda origin: Rebound(key))
        return found

    def disagreement(self, frame: Frame, name: str, start: Binding, end: Binding) -> Exception:
        key = self._key(frame, name) if self._is_list(start) and (isinstance(end, Conflict) or self._is_list(end)) else None
        try:
            error = self.ev.iterations.disagreement(frame, name, start, end)
        except Rewritten as found:
            found.otherwise = found.otherwise or key
            raise
        if key not in {None, *self.ev.assumed.rebound}:
            raise Rebound(key)
        return error

    def _key(self, frame: Frame, name: str) -> Key | None:
        if frame.function is None or frame.function.library:
            return None
        return frame.function.origin(frame.function.node), name

    def _is_list(self, binding: Binding | None) -> bool:
        held = self.ev.heap.contents.get(binding.cell) if isinstance(binding, Ref) else binding
        return isinstance(held, Container) and held.python is list

    def _keep(self, frame: Frame, name: str) -> None:
        """The list that a name has is one that nothing else refers to; from now on it keeps that."""
        held = frame.env.get(name)
        if not self._is_list(held):
            return
        content, kept = self.ev.current(held), self._kept(frame, name)
        is_own = kept is not None and kept.cell == content.cell or isinstance(held, Ref) and held.cell >= self.iteration_start
        shared = not is_own or self._is_held(frame, name, content.cell)
        if shared or not isinstance(held, Ref) or isinstance(content, ArrayList):
            frame.env[name] = self.ev.held(self._copy_of(content))
        if shared:
            self.ev.heap.freeze({frame.env[name].cell, *({content.cell} - {None})}, SEVERAL)
        self.keeping = {**self.keeping, (id(frame), name): Kept(frame.env[name].cell, self.builder.holding)}

    def _kept(self, frame: Frame, name: str) -> Kept | None:
        """The list that a name keeps; not one that has been made on another path."""
        kept = self.keeping.get((id(frame), name))
        return kept if kept is not None and kept.cell in self.ev.heap.contents else None

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        match target, value:
            case gast.Name(id=name), Container() if value.python is list and self._key(frame, name) in self.ev.assumed.rebound:
                kept = self._kept(frame, name)
                if kept is None:
                    self.ev.statements.bind_target(frame, target, value)
                    self._keep(frame, name)
                else:
                    self._take_over(frame, name, self.ev.current(Ref(kept.cell)), value, self.builder.holding == kept.holding)
                    frame.env[name] = Ref(kept.cell)
            case gast.Tuple() | gast.List(), Container(items=items) if any(map(self._has_kept, items)):
                apart = tuple(self._apart(item) if self._has_kept(item) else item for item in items)
                self.ev.statements.bind_target(frame, target, value.anew(apart))
            case _:
                self.ev.statements.bind_target(frame, target, value)

    def _is_kept(self, item: Binding) -> bool:
        return isinstance(item, Container) and any(item.cell == kept.cell for kept in self.keeping.values())

    def _has_kept(self, item: Binding) -> bool:
        return self._is_kept(item) or isinstance(item, Container) and any(map(self._has_kept, item.items))

    def _apart(self, item: Binding) -> Binding:
        """What a list holds now; several names may stand for it in a moment."""
        if not self._is_kept(item):
            raise self._refusal('a list that a name keeps is given away in a container, beside other lists')
        copy = self._copy_of(item)
        self.ev.heap.freeze({item.cell, copy.cell}, SEVERAL)
        return copy

    def _refusal(self, what: str) -> UnsafeMutation:
        return UnsafeMutation(what, self.origin, why=SEVERAL, instead='copy the list, `list(...)`, or give it a name of its own')

    @evaluates(gast.NamedExpr)
    def _namedexpr(self, frame: Frame, node: gast.NamedExpr) -> Binding:
        target = node.target
        if isinstance(target, gast.Name) and self._key(frame, target.id) in self.ev.assumed.rebound:
            raise self._refusal(f'`{target.id}` gets another list within an expression')
        return self.ev.expressions._namedexpr(frame, node)

    def _copy_of(self, content: Container) -> Container:
        """A list with the same items."""
        if isinstance(content, DynamicList):
            return self.ev.growing.growing_copy(content)
        copy = self.ev.held(List(()))
        self.ev.changes.container_method('extend', self.ev.current(copy), [content], {})
        return self.ev.current(copy)

    def _take_over(self, frame: Frame, name: str, own: Container, value: Container, always: bool) -> None:
        """`own[:] = value`, `always` if every iteration comes by."""
        if own.cell == value.cell:
            return
        if own.cell in self.ev.heap.reached(*self.iterating) | {each.cell for it in self.iterating for each in _containers(it)}:
            raise self._refusal(f'`{name}` gets another list in a loop over the list that it is')
        if self._is_held(frame, name, own.cell):
            copy = self._copy_of(own)
            self._redirect(frame, own.cell, copy.cell, but=name)
            if own.cell in self.ev.heap.frozen:
                self.ev.heap.freeze({copy.cell}, self.ev.heap.frozen[own.cell])
        with self.ev.heap.changing_itself(own.cell):
            self._put_all(frame, own, self._copy_of(value) if isinstance(value, ArrayList) else value)
        held = value.cell is not None and self._is_held(frame, None, value.cell)
        old = value.cell is not None and value.cell < self.iteration_start
        if value.cell in self.ev.heap.frozen or old or held and (not always or self._is_kept(value)):
            self.ev.heap.freeze({own.cell, value.cell}, SEVERAL)
        elif held:
            self._redirect(frame, value.cell, own.cell)

    def _put_all(self, frame: Frame, own: Container, value: Container) -> None:
        if isinstance(own, List) and isinstance(value, List):
            self.ev.elements.change(own, value.items)
            return
        if isinstance(own, List):
            self.ev.placeholders.grow(frame, own.cell, value.item)
        self.ev.inline(Closure(self.ev.template(TAKE_OVER)), [Ref(own.cell), value], {})

    def _is_held(self, frame: Frame, name: str | None, cell: int | None) -> bool:
        """Whether something refers to a list, but for a name."""
        held = [binding for (where, other), binding in _bindings(frame) if where is not frame or other != name]
        return cell in self.ev.heap.reached(*held, *(b for other, b in self.ev.heap.contents.items() if other != cell))

    def _redirect(self, frame: Frame, old: int, new: int, but: str | None = None) -> None:
        """What refers to one list refers to another from now on."""
        iteration = lambda leaf: Ref(new) if leaf == Ref(old) else leaf
        for (where, name), binding in list(_bindings(frame)):
            turned = binding if where is frame and name == but else fold(binding, iteration)
            if turned != binding and where is not frame:
                raise self._refusal(f'another function has the list that is `{name}` there')
            where.env[name] = turned
        self.ev.heap.contents |= {cell: fold(content, iteration) for cell,
                                  content in self.ev.heap.contents.items() if isinstance(content, Container)}


def _bindings(frame: Frame) -> Iterator[tuple[tuple[Frame, str], Binding]]:
    """All that can be reached from a frame, and from the functions that it knows."""
    waiting, seen = [frame], set()
    while waiting:
        here = waiting.pop()
        if here is None or id(here) in seen:
            continue
        seen.add(id(here))
        waiting.append(here.parent)
        for name, binding in here.env.items():
            yield (here, name), binding
            waiting += [f for leaf in flatten(binding) for f in _frames(leaf)]


def _containers(binding: Binding) -> Iterator[Container]:
    """A container and those in it."""
    if isinstance(binding, Container):
        yield binding
        for item in binding.items:
            yield from _containers(item)


def _frames(binding: Binding) -> Iterator[Frame]:
    match binding:
        case Closure(frame=Frame() as frame):
            yield frame
        case Partial(function=function) | Derived(function=function):
            yield from _frames(function)
