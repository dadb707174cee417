"""Flags that leave a loop become `break` again, where the loop is left at that very place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.effects import is_pure, may_raise
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_reads, blocks, defined, names, reads, walk, without_exit
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

Block = list[gast.stmt]


@rewrite('breaks', surface=True)
def restore_breaks(core: Core) -> Core:
    """Print `break` where the flag is set that leaves the loop at the end of the iteration, and leave an empty first arm out.

    >>> from transpiler.passes import show
    >>> show(restore_breaks, '''
    ... for i in range(n):
    ...     if x < i:
    ...         stop = True
    ...     else:
    ...         x = x * 2
    ...         stop = x > m
    ...     if stop:
    ...         break
    ... return x''', params='mnx')
    for i in range(n):
        if x < i:
            break
        x = x * 2
        if x > m:
            break
    return x
    """
    return unchanged_or(core, _Breaks(core).block(core.body))


class _Breaks:
    def __init__(self, core: Core):
        self.core, self.live = core, live_after(core)

    def block(self, body: Sequence[gast.stmt]) -> Block:
        done: Block = []
        for statement in body:
            live = self.live[statement]
            if isinstance(statement, (gast.For, gast.While)):
                inner, test = without_exit(statement.body)
                if isinstance(test, gast.Name) and (new := self.leave_there(inner, test.id, done, live)) is not None:
                    inner = new
                elif test is not None:
                    inner.append(statement.body[-1])
                statement = with_blocks(statement, [self.block_again(inner)])
            elif blocks(statement):
                statement = _turned(with_blocks(statement, [self.block(b) for b in blocks(statement)]))
            done.append(statement)
        return done

    def block_again(self, body: Block) -> Block:
        """The statements inside a loop whose own exits are done."""
        done: Block = []
        for statement in body:
            if statement in self.live:
                done += self.block([statement])
            elif blocks(statement):
                done.append(_turned(with_blocks(statement, [self.block_again(b) for b in blocks(statement)])))
            else:
                done.append(statement)
        return done

    def leave_there(self, body: Block, flag: str, before: Block, live: frozenset[str]) -> Block | None:
        """The body of a loop that ends in `if flag: break`, left where `flag` is set; None if that is not at the end."""
        is_read = flag in live
        starts = next((s for s in reversed(before) if flag in all_defined([s])), None)
        is_false = isinstance(starts, gast.Assign) and _is(starts.value, False)
        keep = is_read and not is_false
        return _Tail(flag, is_read, keep, self.core).of(body)


@dataclass(frozen=True)
class _Tail:
    """Rewrites the statements at the end of an iteration, after which comes `if flag: break`.

    is_read: the flag is read after the loop; keep: it must be set to False, too
    """

    flag: str
    is_read: bool
    keep: bool
    core: Core

    def of(self, body: Block) -> Block | None:
        body = self.flag_last(body)
        if not body:
            return None
        rest, last = body[:-1], body[-1]
        match last:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name == self.flag:
                if _is(value, True):
                    return [*rest, *([last] if self.is_read else []), _break(last)]
                if _is(value, False):
                    return [*rest, *([last] if self.keep else [])]
                if self.is_read:
                    return [*rest, last, _leave(build.name(self.flag), last)]
                return [*rest, _leave(value, last)]
            case gast.If(test=gast.Name(id=name)) if name == self.flag and name not in all_defined([last]):
                test, first = last.test, rest
                if not self.is_read and rest and defined(rest[-1]) == name and name not in all_reads([*last.body, *last.orelse]):
                    test, first = rest[-1].value, rest[:-1]
                return [*first, build.like(last, test=test, body=[*last.body, _break(last)], orelse=[]), *last.orelse]
            case gast.If() if self.flag not in all_reads([last]):
                arms = self.of(last.body), self.of(last.orelse)
                if arms[0] is not None and arms[1] is not None:
                    return [*rest, *_joined(last, *arms)]
        return None

    def flag_last(self, body: Block) -> Block:
        """The body with what follows the flag's last place moved in front of it, if that makes no difference."""
        places = [k for k, s in enumerate(body) if self.flag in all_defined([s]) or self.flag in reads(s)]
        if not places or places[-1] == len(body) - 1:
            return body
        place, after = places[-1], body[places[-1] + 1:]
        if place and defined(body[place - 1]) == self.flag:
            place -= 1
        passed = body[place:places[-1] + 1]
        if not all(self.moves(statement, other) for statement in after for other in passed):
            return []
        return [*body[:place], *after, *passed]

    def moves(self, statement: gast.stmt, other: gast.stmt) -> bool:
        """Whether a number may be computed before `other` as well."""
        if not isinstance(statement, (gast.Assign, gast.AugAssign)) or defined(statement) is None:
            return False
        target, used = defined(statement), {defined(statement), *names(statement.value)}
        number = all(isinstance(self.core.types.get(name), Scalar) for name in used)
        apart = not used & all_defined([other]) and target not in all_reads([other])
        ends = any(isinstance(s, (gast.Raise, gast.Break)) for s in walk([other]))
        return number and apart and not ends and is_pure(statement.value) and not may_raise(statement.value, self.core.types)


def _joined(branch: gast.If, body: Block, orelse: Block) -> Block:
    """A branch with breaks in its arms: what follows a break needs no `else`."""
    if body and isinstance(body[-1], gast.Break):
        return [build.like(branch, body=body, orelse=[]), *orelse]
    if orelse and isinstance(orelse[-1], gast.Break):
        return [build.like(branch, test=_negated(branch.test), body=orelse, orelse=[]), *body]
    return [_turned(build.like(branch, body=body, orelse=orelse))]


def _turned(statement: gast.stmt) -> gast.stmt:
    """`if not c: ...` for `if c: pass; else: ...`"""
    if isinstance(statement, gast.If) and not statement.body and statement.orelse:
        return build.like(statement, test=_negated(statement.test), body=statement.orelse, orelse=[])
    return statement


def _negated(test: gast.expr) -> gast.expr:
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return operand
        case gast.Compare(left=left, ops=[gast.Eq()], comparators=[right]):
            return build.compare(left, gast.NotEq, right)
        case gast.Compare(left=left, ops=[gast.NotEq()], comparators=[right]):
            return build.compare(left, gast.Eq, right)
    return build.unary(gast.Not, test)


def _is(node: gast.expr, value: bool) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def _break(place: gast.stmt) -> gast.Break:
    return build.stamp(gast.Break(), place.origin, place.role)


def _leave(test: gast.expr, place: gast.stmt) -> gast.If:
    return build.leave(test, place.origin, place.role)
