"""Which names may share memory at a place in the program: pairs of names, followed from statement to statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.aliases import ON_TAPES, call_sources, memory, shared_part, tape_of
from transpiler.analyses.memory.effects import is_fresh
from transpiler.core.fixpoint import reached, settled
from transpiler.core.indices import has_iterations
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import call_of, callee, changed_by, defined, names, pushed_by
from transpiler.values.types import Array, Scalar, Tape

Pairs = Mapping[str, frozenset[str]]
NOBODY: frozenset[str] = frozenset()


class Overlap:
    """For every statement, with whom each name may share memory when the statement has run.

    Unlike `aliases.memory` it knows the order of statements: two buffers that change their names in each iteration stay apart.
    Arguments are taken to be apart from each other, as derivatives work on copies of those that are written.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (None,))
    >>> core = parse('''
    ... a = np.zeros(3)
    ... b = np.ones(3)
    ... for k in range(0, n, 1):
    ...     b[0] = 1.0
    ...     t = a
    ...     a = b
    ...     b = t
    ... return a''', types=dict.fromkeys('abt', array))
    >>> write = core.body[2].body[0]
    >>> 'a' in Overlap(core).partners('b', write), 't' in Overlap(core).partners('a', core.body[2].body[1])
    (False, True)
    """

    def __init__(self, core: Core):
        self.core = core
        self._after: dict[int, Pairs] = {}
        self.calls = {name: call for s in core.statements if (call := call_of(s)) is not None and (name := defined(s)) is not None
                      and isinstance(core.types.get(name), tuple) and links(call).items is not None}
        self._block(core.body, {})

    def partners(self, name: str, statement: gast.stmt) -> frozenset[str]:
        """The names that may share memory with `name` when `statement` has run."""
        return self._after.get(id(statement), {}).get(name, NOBODY)

    def _block(self, body: Iterable[gast.stmt], pairs: Pairs) -> Pairs:
        for statement in body:
            pairs = self._step(statement, pairs)
            self._note(id(statement), pairs)
        return pairs

    def _note(self, where: int, pairs: Pairs) -> None:
        """What holds after a statement, which may stand at two places."""
        before = self._after.get(where)
        self._after[where] = pairs if before is None else _united(before, pairs)

    def _step(self, statement: gast.stmt, pairs: Pairs) -> Pairs:
        match statement:
            case gast.If(body=body, orelse=orelse):
                return _united(self._block(body, pairs), self._block(orelse, pairs))
            case gast.For(body=body) | gast.While(body=body):
                end, around = pairs, self._after

                def iteration(start: Pairs) -> Pairs:
                    nonlocal end
                    self._after = {}    # the last iteration finds all that those before it do
                    end = self._block(body, start)
                    return _united(start, end)
                start = settled(pairs, iteration)
                inside, self._after = self._after, around
                for where, found in inside.items():
                    self._note(where, found)
                return end if has_iterations(statement) else start
            case gast.Assign() | gast.Expr() if (call := call_of(statement)) is not None:
                for k in pushed_by(call):
                    pairs = self._pushed(call.args[k], pairs)
                target = defined(statement)
                return pairs if target is None else _bound(pairs, target, self._sources(statement, target, call, pairs))
            case gast.Assign(targets=[gast.Name(id=target)], value=value):
                return _bound(pairs, target, self._sources(statement, target, value, pairs))
            case gast.Expr(
                value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[gast.Name(id=tape), *_, pushed])
            ):
                return self._pushed(pushed, pairs, self._holder(tape))
        return pairs

    def _pushed(self, value: gast.expr, pairs: Pairs, holder: str = ON_TAPES) -> Pairs:
        if isinstance(value, gast.Name) and isinstance(self.core.types.get(value.id), Array):
            lists = {name for name in pairs.get(holder, NOBODY) if isinstance(self.core.types.get(name), Tape)}
            for one in (holder, *sorted(lists)):    # other names of the list hold it, too
                pairs = _joined(pairs, one, pairs.get(value.id, NOBODY) | {value.id})
        return pairs

    def _holder(self, tape: str) -> str:
        """A list of the program stands for itself; what is on the others is taken together."""
        type_ = self.core.types.get(tape)
        return tape if isinstance(type_, Tape) and type_.lasting else ON_TAPES

    def _sources(self, statement: gast.stmt, target: str, value: gast.expr, pairs: Pairs) -> frozenset[str]:
        """The names whose memory the value of an assignment may share."""
        if isinstance(self.core.types.get(target), Scalar) or is_fresh(value):
            return NOBODY
        tape = tape_of(statement)
        found = {self._holder(tape)} if tape else set(self._shown(value))
        found = {name for name in found if not isinstance(self.core.types.get(name), Scalar)}
        return frozenset(found).union(*(pairs.get(name, NOBODY) for name in found)) - {target}


    def _shown(self, value: gast.expr) -> Iterable[str]:
        """The names whose memory an expression may show: of a call, the arguments that its results may be."""
        match value:
            case gast.Subscript(value=gast.Name(id=whole), slice=gast.Constant(value=k)) if whole in self.calls:
                return call_sources(self.calls[whole], k)
            case gast.Call() if callee(value) is not None:
                items = links(value).items
                return [name for k in range(1 if items is None else len(items)) for name in call_sources(value, k)]
        return names(shared_part(value, self.core.types))


@memoised
def overlap(core: Core) -> Overlap:
    """The `Overlap` of a function, remembered."""
    return Overlap(core)


def _united(left: Pairs, right: Pairs) -> Pairs:
    if left is right or left == right:
        return left
    both = dict(left)
    for name, partners in right.items():
        own = both.get(name, NOBODY)
        if own is not partners:     # most names have the partners that they had
            both[name] = own | partners
    return MappingProxyType(both)


def _bound(pairs: Pairs, target: str, partners: frozenset[str]) -> Pairs:
    """`target` has new memory, which it shares with `partners`."""
    old = pairs.get(target, NOBODY)
    if old == partners:
        return pairs
    changed = dict(pairs)
    for name in old - partners:
        changed[name] = changed[name] - {target}
    return _joined(changed, target, partners, replace=True)


def _joined(pairs: Pairs, target: str, partners: frozenset[str], replace: bool = False) -> Pairs:
    changed = dict(pairs)
    changed[target] = partners - {target} if replace else pairs.get(target, NOBODY) | partners - {target}
    for name in partners - {target}:
        changed[name] = changed.get(name, NOBODY) | {target}
    return changed


def is_view_noticed(core: Core, name: str) -> bool:
    """Whether it makes a difference somewhere that `name` is a view and no copy, or the other way round.

    It does if memory is written that it may share, while somebody still reads it under a name that does not come from it:
    the caller reads what it gave.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('cxy', Array(np.dtype(float), (None,)))
    >>> texts = ('x[0] = 1.0; y = x[1:]; return y', 'y = x[1:]; y[0] = 1.0; return y',
    ...          'c = np.copy(x); y = c[1:]; y[0] = 1.0; return y', 'c = np.copy(x); y = c[1:]; y[0] = 1.0; return c')
    >>> [is_view_noticed(parse(text, types=types), 'y') for text in texts]
    [False, True, False, True]
    """
    made, found, live = made_from(core, name), overlap(core), live_after(core)
    for statement in core.statements:
        for written in changed_by(statement):
            lists = {ON_TAPES} if any(isinstance(core.types.get(other), Tape) for other in live[statement]) else NOBODY
            seen = {written} | found.partners(written, statement) & live[statement].union(lists, core.inputs)
            if seen & made and seen - made:
                return True
    return False


def is_read_unchanged(core: Core, name: str) -> bool:
    """Whether nobody reads `name`, or what was made from it, after a write to memory that it may share, arguments' included.

    What is on a list may be read whenever the list is.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyz', Array(np.dtype(float), (None,)))
    >>> texts = 'y = np.ravel(x); z = 2.0 * y; x[0] = 1.0; return z', 'y = np.ravel(x); x[0] = 1.0; z = 2.0 * y; return z'
    >>> [is_read_unchanged(parse(text, params='x', types=types), 'y') for text in texts]
    [True, False]
    """
    made, known, live = made_from(core, name), memory(core), live_after(core)
    roots = known.of(*made)
    if any(isinstance(type_, Tape) and known.of(other) & roots for other, type_ in core.types.items()):
        return False
    writes = ((statement, changed) for statement in core.statements if (changed := set(changed_by(statement))))
    return not any(made & (changed | live[statement]) and known.of(*changed) & roots for statement, changed in writes)


def made_from(core: Core, name: str) -> set[str]:
    """The names that show the memory of `name`, or a number of it, because they were made from it; itself included."""
    showing: defaultdict[str, list[str]] = defaultdict(list)
    for statement in core.statements:
        target = defined(statement)
        if target is not None and isinstance(statement, gast.Assign) and not is_fresh(statement.value):
            for shown in names(shared_part(statement.value, core.types)):
                showing[shown].append(target)
    return reached({name}, lambda one: showing.get(one, ()))
