"""`break`, `continue`, `return` and `else` of loops: a loop is left at the end of an iteration, by one test, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import gast

from transpiler.core import build
from transpiler.normalize.flags import RESULT, RETURNED, Flags
from transpiler.normalize.generators import COLLECTED

Block = list[gast.stmt]
SHORT = 8  # statements that may stand in both arms of a branch


@dataclass
class Loop:
    """A loop, or a branch that is left like one: the flags that `break` and `return` set, and those that `continue` sets too."""

    breaks: list[str]
    returns: list[str]
    skips: list[str] = field(default_factory=list)


def leave_at_the_end(body: Block) -> Block:
    """Rewrite loops so that each has at most one exit, the last statement of its body: `if flag: break`.

    What stands behind `continue` or `break` moves into the arm that gets there. A `return` in a loop keeps the result
    and leaves all loops; what follows them runs only if no `return` did. So it is with a `return` in a branch that may come
    out of both arms, unless what follows is short enough to stand in both. The `else` of a loop runs if no `break` did.

    >>> import textwrap
    >>> tree = gast.parse(textwrap.dedent('''
    ... for i in r:
    ...     if x > i:
    ...         break
    ...     x = x * 2
    ... return x'''))
    >>> tree.body = leave_at_the_end(tree.body)
    >>> print(gast.unparse(tree))
    stop!1 = False
    for i in r:
        stop!1 = False
        if x > i:
            stop!1 = True
        else:
            x = x * 2
        if stop!1:
            break
    return x
    """
    return _Exits().block(body, None)


class _Exits:
    def __init__(self) -> None:
        self.flags = Flags()

    def block(self, body: Block, loop: Loop | None) -> Block:
        """`body` without exits, to stand in `loop`."""
        done: Block = []
        waiting = list(body)
        while waiting:
            statement = waiting.pop(0)
            match statement:
                case gast.Break() | gast.Continue() | gast.Return() if loop is not None:
                    return done + _leave(statement, loop)
                case gast.Return() | gast.Raise():
                    return [*done, statement]
                case gast.For() | gast.While():
                    made, after = self.loop(statement)
                    done += made
                    waiting = after + waiting
                case gast.If() if loop is not None and any(_exits(statement)):
                    return done + self.branch(statement, waiting, loop)
                case gast.If() if _is_long(waiting) and any(_exits(statement)) and all(map(_comes_out, _arms(statement))):
                    done += [_set(RETURNED, False, statement), *self.branch(statement, [], Loop([], [RETURNED]))]
                    waiting.insert(0, _return_of(_exits(statement)))
                case gast.If():
                    arms = self.block(statement.body, loop), self.block(statement.orelse, loop)
                    done.append(build.like(statement, body=arms[0], orelse=arms[1]))
                case _:
                    done.append(statement)
        return done

    def branch(self, statement: gast.If, rest: Block, loop: Loop) -> Block:
        """A branch with exits, and what follows it: in the arm that comes out, or under a flag if both arms may."""
        arms = _arms(statement)
        open_ = [_comes_out(arm) for arm in arms]
        if not rest or not all(open_):
            arms = [self.block(arm + rest if out else arm, loop) for arm, out in zip(arms, open_, strict=True)]
            return [build.like(statement, body=arms[0], orelse=arms[1])]
        ends_iteration = any(isinstance(exit_, gast.Continue) for exit_ in _exits(statement))
        flag = self.flags.new('skip') if ends_iteration else (loop.breaks or loop.returns)[0]
        inner = Loop(loop.breaks, loop.returns, [*loop.skips, flag] if ends_iteration else loop.skips)
        guarded = build.like(statement, body=self.block(arms[0], inner), orelse=self.block(arms[1], inner))
        following = _if(flag, [], self.block(rest, loop), statement)
        return [*([_set(flag, False, statement)] if ends_iteration else []), guarded, following]

    def loop(self, statement: gast.For | gast.While) -> tuple[Block, Block]:
        """The loop with one exit, and what must follow it: `if returned: return result`, and its `else`."""
        found = list(_exits(statement))
        breaks = any(isinstance(s, gast.Break) for s in _own(statement.body))
        returns = any(isinstance(s, gast.Return) for s in found)
        stops = [self.flags.new('stop')] if breaks else []
        flags = stops + [RETURNED] * returns
        names_a_value = isinstance(statement, gast.While) and _names_a_value(statement.test)
        ends = [self.flags.new('end')] if names_a_value else []
        body = self.block(statement.body, Loop(ends + stops, ends + flags))
        if names_a_value:  # such a test is a statement of the iteration
            body = [_if(statement.test, body, [_set(ends[0], True, statement)], statement)]
            statement = build.like(statement, test=gast.Constant(value=True, kind=None))
        flags = ends + flags
        if not flags:
            return [build.like(statement, body=body, orelse=[])], list(statement.orelse)
        starts = [_set(flag, False, statement) for flag in flags]
        leave = _if(flags[0], [gast.copy_location(gast.Break(), statement)], [], found[0] if found else statement)
        made = [*starts, build.like(statement, body=[*starts, *body, leave], orelse=[])]
        after: Block = []
        if returns:
            after.append(_return_of(found))
        if statement.orelse:
            after += [_if(stops[0], [], statement.orelse, statement.orelse[0])] if breaks else statement.orelse
        return made, after


def _leave(statement: gast.stmt, loop: Loop) -> Block:
    """The statements that set what `break`, `continue` or `return` means here."""
    done: Block = []
    flags = {gast.Break: loop.breaks, gast.Return: loop.returns}.get(type(statement), [])
    if isinstance(statement, gast.Return):
        value = statement.value or _none()
        if isinstance(value, gast.Name) and value.id == RESULT:  # a loop inside has returned: its flag is set
            flags = [flag for flag in flags if flag != RETURNED]
        elif not _is_collected(statement):
            target = build.like(build.name(RESULT), ctx=gast.Store())
            done.append(gast.copy_location(gast.Assign(targets=[target], value=value, type_comment=None), statement))
    return done + [_set(flag, True, statement) for flag in [*flags, *loop.skips]]


def _return_of(exits: Iterable[gast.stmt]) -> gast.stmt:
    """What follows a statement with such exits: it returns what one of them did."""
    returns = [s for s in exits if isinstance(s, gast.Return)]
    bare = all(map(_is_bare, returns))
    name = COLLECTED if _is_collected(returns[0]) else RESULT
    result = gast.Return(value=_none() if bare else build.like(build.name(name), ctx=gast.Load()))
    return _if(RETURNED, [gast.copy_location(result, returns[0])], [], returns[0])


def _none() -> gast.Constant:
    return gast.Constant(value=None, kind=None)


def _is_bare(statement: gast.Return) -> bool:
    return statement.value is None or isinstance(statement.value, gast.Constant) and statement.value.value is None


def _is_collected(statement: gast.Return) -> bool:
    """Whether it ends a generator function: wherever that is, what was collected is returned."""
    return isinstance(statement.value, gast.Name) and statement.value.id == COLLECTED


def _set(flag: str, value: bool, place: gast.stmt) -> gast.stmt:
    target = build.like(build.name(flag), ctx=gast.Store())
    constant = gast.Constant(value=value, kind=None)
    return gast.copy_location(gast.Assign(targets=[target], value=constant, type_comment=None), place)


def _if(test: str | gast.expr, body: Block, orelse: Block, place: gast.stmt) -> gast.If:
    return gast.copy_location(gast.If(test=build.expression(test), body=body, orelse=orelse), place)


def _names_a_value(test: gast.expr) -> bool:
    return any(isinstance(node, gast.NamedExpr) for node in gast.walk(test))


def _arms(statement: gast.If) -> tuple[Block, Block]:
    return statement.body, statement.orelse


def _is_long(body: Block) -> bool:
    """Whether there are more than a few statements, those inside of others too."""
    return any(islice(_all(body), SHORT, None))


def _all(body: Block) -> Iterator[gast.stmt]:
    for statement in body:
        yield statement
        yield from _all(_inside(statement))


def _inside(statement: gast.stmt) -> Block:
    """The statements right inside a compound statement."""
    if isinstance(statement, (gast.If, gast.For, gast.While)):
        return [*statement.body, *statement.orelse]
    return []


def _own(body: Block) -> Iterator[gast.stmt]:
    """The statements of a loop's body that belong to no loop inside it; the `else` of a loop inside does belong."""
    for statement in body:
        yield statement
        if isinstance(statement, (gast.For, gast.While)):
            yield from _own(statement.orelse)
        else:
            yield from _own(_inside(statement))


def _exits(statement: gast.stmt) -> Iterator[gast.stmt]:
    """The exits in a statement that leave an iteration of the loop around it; for a loop, those that leave one of its own."""
    body = statement.body if isinstance(statement, (gast.For, gast.While)) else [statement]
    pending = [(s, True) for s in body]
    while pending:
        part, direct = pending.pop(0)
        if isinstance(part, gast.Return) or direct and isinstance(part, (gast.Break, gast.Continue)):
            yield part
        if isinstance(part, (gast.For, gast.While)):
            pending = [*((s, False) for s in part.body), *((s, direct) for s in part.orelse), *pending]
        else:
            pending = [*((s, direct) for s in _inside(part)), *pending]


def _comes_out(body: Block) -> bool:
    """Whether some path may run off the end of `body`."""
    return not any(map(_ends, body))


def _ends(statement: gast.stmt) -> bool:
    match statement:
        case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
            return True
        case gast.If(body=body, orelse=orelse):
            return not _comes_out(body) and not _comes_out(orelse)
        case gast.While(test=gast.Constant(value=value), body=body) if value:
            return not any(isinstance(s, gast.Break) for s in _own(body))
    return False
