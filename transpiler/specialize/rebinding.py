"""Names that get another list in every turn of a loop: `pts = [f(p, q) for p, q in zip(pts, pts[1:])]`, as `pts[:] = [...]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import gast

from transpiler.analyses.names import stores
from transpiler.rules.python import TAKE_OVER
from transpiler.specialize.bindings import Binding, Closure, Conflict, Container, Derived, Partial, Ref, flatten, fold
from transpiler.specialize.context import Frame, Key, Rebound, Rewritten
from transpiler.specialize.heap import SEVERAL, Frozen, Grows, Kept
from transpiler.specialize.trials import Growth, Turn
from transpiler.specialize.turns import Turns

LISTS = {'list', 'growing', 'row'}


class Rebinding(Turns):
    """A loop whose name refers to another list at the end of a turn than at its start is run again with the name among
    `rebound`: the name keeps one list, which takes over the items of those that the name is given.

    What referred to the list before refers to a copy from then on, what referred to the other one refers to the list. Where
    two lists then stand for one, neither may be changed but by giving its name another one.
    """

    def settle(
        self, frame: Frame, statement: gast.For | gast.While, run: Callable[[Turn], None], growth: Growth = Growth()
    ) -> Turn:
        keys = {name: self._key(frame, name) for name in sorted(stores(statement.body))}
        outer = self.keeping
        own = {name: self._own_list(frame, name) for name, key in keys.items() if key in self.rebound}
        kept = {name: Kept(cell, self.builder.holding) for name, cell in own.items() if cell is not None}
        self.keeping = outer | {(id(frame), name): one for name, one in kept.items()}
        try:
            turn = super().settle(frame, statement, run, growth)
        except Frozen as error:
            for name, key in keys.items():
                if key not in {None, *self.rebound} and frame.env.get(name) == Ref(error.cell):
                    raise Rebound(key) from None
            raise
        finally:
            self.keeping = outer
        for name, cell in own.items():
            if cell in self.frozen and not self.rebound[keys[name]]:
                raise Rebound(keys[name], closed=True)  # it is so when later turns begin
        return turn

    def disagreement(self, frame: Frame, name: str, start: Binding, end: Binding) -> Exception:
        key = self._key(frame, name) if self._is_list(start) and (isinstance(end, Conflict) or self._is_list(end)) else None
        try:
            error = super().disagreement(frame, name, start, end)
        except Rewritten as found:
            found.otherwise = key
            raise
        if key not in {None, *self.rebound}:
            raise Rebound(key)
        return error

    def _key(self, frame: Frame, name: str) -> Key | None:
        if frame.function is None or frame.function.library:
            return None
        return frame.function.origin(frame.function.node), name

    def _is_list(self, binding: Binding | None) -> bool:
        held = self.heap.get(binding.cell) if isinstance(binding, Ref) else binding
        return isinstance(held, Container) and held.kind in LISTS

    def _own_list(self, frame: Frame, name: str) -> int | None:
        """The cell of the list that a name has before a loop: one that nothing else refers to."""
        held = frame.env.get(name)
        if not self._is_list(held):
            return None
        content = self.current(held)
        parameters = {node.id for node in gast.walk(frame.function.node.args) if isinstance(node, gast.Name)}
        shared = name in parameters or content.cell in self.given or self._is_held(frame, name, content.cell)
        if isinstance(held, Ref) and not shared and content.kind != 'row':
            cell = held.cell
        else:
            frame.env[name] = self.held(Container('list', ()))
            cell = frame.env[name].cell
            self.container_method('extend', self.current(frame.env[name]), [content], {})
        if shared or self.rebound[self._key(frame, name)]:
            self.freeze({cell}, SEVERAL)
        return cell

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        match target, value:
            case gast.Name(id=name), Container(kind=kind) if kind in LISTS and (id(frame), name) in self.keeping:
                kept = self.keeping[id(frame), name]
                self._take_over(frame, name, self.current(Ref(kept.cell)), value, self.builder.holding == kept.holding)
                frame.env[name] = Ref(kept.cell)
            case gast.Tuple() | gast.List(), Container(items=items) if any(map(self._is_kept, items)):
                apart = tuple(self._apart(item) if self._is_kept(item) else item for item in items)
                super().bind_target(frame, target, replace(value, items=apart, cell=None))
            case _:
                super().bind_target(frame, target, value)

    def _is_kept(self, item: Binding) -> bool:
        return isinstance(item, Container) and any(item.cell == kept.cell for kept in self.keeping.values())

    def _apart(self, kept: Container) -> Binding:
        """What a list holds now; several names may stand for it in a moment."""
        copy = self._growing_copy(kept) if kept.kind == 'growing' else self.current(self.held(replace(kept, cell=None)))
        self.freeze({kept.cell, copy.cell}, SEVERAL)
        return copy

    def _take_over(self, frame: Frame, name: str, own: Container, value: Container, always: bool) -> None:
        """`own[:] = value`, `always` if every turn comes by."""
        if own.cell == value.cell or own.kind == 'list' and not own.items and not value.items:
            return
        if own.kind == 'list':
            raise Grows(own.cell, value.type if value.kind == 'growing' else self.example_of((value.items or own.items)[-1]))
        if self._is_held(frame, name, own.cell):
            copy = self._growing_copy(own)
            self._redirect(frame, own.cell, copy.cell, but=name)
            if own.cell in self.frozen:
                self.freeze({copy.cell}, self.frozen[own.cell])
        with self.changing_itself(own.cell):
            self.inline(Closure(self.template(TAKE_OVER)), [Ref(own.cell), value], {})
        held = value.cell is not None and self._is_held(frame, None, value.cell)
        if value.cell in self.frozen or value.cell in self.given or held and (not always or self._is_kept(value)):
            self.freeze({own.cell, value.cell}, SEVERAL)
        elif held:
            self._redirect(frame, value.cell, own.cell)

    def _is_held(self, frame: Frame, name: str | None, cell: int | None) -> bool:
        """Whether something refers to a list, but for a name."""
        held = [binding for place, binding in _bindings(frame) if place != (frame, name)]
        return cell in self.reached(*held, *(b for other, b in self.heap.items() if other != cell))

    def _redirect(self, frame: Frame, old: int, new: int, but: str | None = None) -> None:
        """What refers to one list refers to another from now on."""
        turn = lambda leaf: Ref(new) if leaf == Ref(old) else leaf
        for (where, name), binding in list(_bindings(frame)):
            if (where, name) != (frame, but):
                where.env[name] = fold(binding, turn)
        self.heap |= {cell: fold(content, turn) for cell, content in self.heap.items() if isinstance(content, Container)}


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


def _frames(binding: Binding) -> Iterator[Frame]:
    match binding:
        case Closure(frame=Frame() as frame):
            yield frame
        case Partial(function=function) | Derived(function=function):
            yield from _frames(function)
