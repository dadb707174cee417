"""Where a copy would be noticed: a reshape is a view, a list holds what is put on it; Numba copies what lies in no C order."""
from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import gast

from transpiler.analyses.memory.aliases import OUTSIDE, TAKEN, Memory, memory, shared_part
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.flow_sensitive_aliases import is_read_unchanged, is_view_noticed
from transpiler.analyses.memory.order_dependent_views import undecided
from transpiler.analyses.memory.views import bases, views_of
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, call_of, changed_by, defined, names, primitive, walk
from transpiler.errors import CompileError
from transpiler.values.types import Array, Scalar


@dataclass(frozen=True)
class Written:
    """The roots that are written, and those of them that the primal writes."""

    roots: frozenset[str] = frozenset()
    primal: frozenset[str] = frozenset()

    def __or__(self, other: Written) -> Written:
        return Written(self.roots | other.roots, self.primal | other.primal)


def shared_later(core: Core) -> frozenset[gast.stmt]:
    """The statements that give a name to memory, or put it on a list, that may be written after them, through whatever name.

    What is on lists of the primal, a derivative writes only where the primal did.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> shown = lambda core: sorted(shown_by(statement) for statement in shared_later(core))
    >>> shown(parse('x[0] = 1.0; y = np.reshape(x, (2, 2)); z = x[1:]; z[0] = 2.0; return y'))
    ['y', 'z']
    >>> types = dict.fromkeys('abyz', Array(np.dtype(float), (None,)))
    >>> turn = 'a = np.zeros(2); a[k] = 1.0; b = a[1:]; y[k] = 2.0; z = y[1:]'
    >>> shown(parse(f'y = np.zeros(2)\\nfor k in range(0, n, 1): {turn}\\nreturn y', types=types))
    ['a', 'y', 'z']
    """
    return frozenset(_shared(core, core.body, memory(core), Written()))


def shown_by(statement: gast.stmt) -> str | None:
    """The name that a statement binds, or of what it puts on a list."""
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[*_, gast.Name(id=name)])):
            return name
    return defined(statement)


def is_copy_noticed(core: Core, statement: gast.stmt) -> bool:
    """Whether it makes a difference that one of the statements of `shared_later` gives a copy.

    Arguments may share memory with each other, and lists show what is on them until the end.
    """
    name = defined(statement)
    if name is None:
        return True
    return (OUTSIDE in memory(core).of(name) or is_view_noticed(core, name)) and not is_read_unchanged(core, name)


def described(core: Core, statement: gast.stmt) -> str:
    """What a statement makes, in words of the program: derivatives, batches and temporaries have names that nobody wrote.

    >>> from transpiler.core.text import parse
    >>> core = parse('y = np.ravel(x); return y')
    >>> described(core, core.body[0])
    '`y`'
    """
    name = shown_by(statement)
    if name is None or statement.role != 'primal':
        return 'an array of the derivative'
    base, line = core.base(name), getattr(statement.origin, 'text', '')
    unwritten = core.is_temporary(name) or bool(line) and not re.search(rf'\b{re.escape(base)}\b', line)
    return 'what is made here' if unwritten else f'`{base}`'


def check_reshapes(core: Core) -> None:
    """Refuse views, or copies, of arrays that are in C order here, and perhaps in another one where NumPy makes them."""
    found = undecided(core)
    vectors = {name for name in core.inputs if getattr(core.types.get(name), 'ndim', None) == 1}     # Numba knows their strides
    shared, views = (shared_later(core), views_of(core)) if found else ((), {})
    for statement, call in found:
        shown = names(call.args[0])
        roots = {[name, *bases(name, views)][-1] for name in shown}
        if statement in shared and not roots <= vectors:
            raise CompileError(
                f'{described(core, statement)} may show memory that is written to',
                statement.origin,
                why='whether NumPy makes a view of it depends on the order of its items, which may differ here',
                instead='make what it shows by `x.copy()` or `np.ascontiguousarray(x)`, or take a copy: `x.flatten()`',
            )


def _shared(core: Core, body: Sequence[gast.stmt], known: Memory, after: Written) -> Iterator[gast.stmt]:
    """`after`: what is written after this block, or in another iteration of a loop around it."""
    for position in reversed(range(len(body))):
        statement = body[position]
        own = _written(known, [statement])
        name = shown_by(statement)
        if name is not None and known.of(name) & (after.primal if _lists(statement) else after.roots):
            yield statement
        again = _of_iterations_before(core, known, statement.body) if isinstance(statement, (gast.For, gast.While)) else Written()
        for block in blocks(statement):
            yield from _shared(core, block, known, after | again)
        after |= own


def _lists(statement: gast.stmt) -> bool:
    """Whether the primal puts something on a list, or takes it from one."""
    own = defined(statement) is None or primitive(getattr(statement, 'value', None)) in TAKEN
    return own and statement.role == 'primal'


def _of_iterations_before(core: Core, known: Memory, body: Sequence[gast.stmt], made: frozenset[str] = frozenset()) -> Written:
    """What an iteration of a loop may write in memory from before it; `made`: the names for memory of this iteration."""
    found = Written()
    for statement in body:
        found |= _roots(known, statement, set(changed_by(statement)) - made)
        inside = {name for block in blocks(statement) for name in all_defined(block)}
        for block in blocks(statement):
            found |= _of_iterations_before(core, known, block, made - inside)
        name = frozenset(filter(None, [defined(statement)]))
        made = made | name if _is_of_this_iteration(core, statement, made) else made - name - inside
    return found


def _is_of_this_iteration(core: Core, statement: gast.stmt, made: frozenset[str]) -> bool:
    """Whether an assignment gives an array that is new, or shows memory of `made` alone."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if isinstance(core.types.get(name), Array):
            if call_of(statement) is not None or (primitive(value) or '').startswith('tape.'):
                return False
            sources = names(shared_part(value, core.types))
            return is_fresh(value) or all(n in made or isinstance(core.types.get(n), Scalar) for n in sources)
    return False


def _written(known: Memory, body: Sequence[gast.stmt]) -> Written:
    return functools.reduce(Written.__or__, (_roots(known, s, changed_by(s)) for s in walk(body)), Written())


def _roots(known: Memory, statement: gast.stmt, changed: Iterable[str]) -> Written:
    roots = known.of(*changed)
    return Written(roots, roots if statement.role == 'primal' else frozenset())
