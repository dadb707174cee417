"""Re-nesting: a temporary that is read once moves into its reader, so that nobody sees one operation per line."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.analyses.effects import is_pure, may_raise, memory_reads
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, callee, defined, is_atom, names, reads, walk, written
from transpiler.optimize.facts import all_effects, unchanged_or, with_blocks
from transpiler.optimize.occurrences import occurrences
from transpiler.optimize.substitute import substitute
from transpiler.passes import rewrite
from transpiler.source.emit import spelling_of
from transpiler.source.wrapping import WIDTH
from transpiler.values.types import Scalar

SHORT = 80       # a cotangent with a name of its own is nested only into a short line


@rewrite('re-nesting', surface=True)
def renest(core: Core, width: int = WIDTH) -> Core:
    """Nest temporaries into their single reader in the same block, where the line stays short.

    Legal if nothing between the temporary and its reader binds a name that it depends on, writes memory that it reads,
    or has an effect that its errors would come after. The test of a `while` is evaluated many times: nothing moves there.

    >>> from transpiler.passes import show
    >>> show(renest, 't = 2 * x; y = t + 1; return y', temporaries=['t'])
    y = 2 * x + 1
    return y
    """
    nester = _Nester(core, width)
    return unchanged_or(core, nester.block(core.body, 1))


class _Nester:
    def __init__(self, core: Core, width: int):
        self.core, self.width = core, width
        self.memory: Memory = memory(core)
        self.spelling = spelling_of(core)
        statements = list(walk(core.body))
        self.reads = Counter(name for s in statements for name in occurrences(s))
        self.definitions = Counter(name for s in statements if (name := defined(s)))

    def block(self, body: Sequence[gast.stmt], depth: int) -> list[gast.stmt]:
        done = [with_blocks(s, [self.block(b, depth + 1) for b in blocks(s)]) if blocks(s) else s for s in body]
        position = 0
        while position < len(done):
            spread = self.repeat(done, position, depth)
            if spread is not None:
                done = spread
                continue
            reader = self.reader(done, position)
            nested = None if reader is None else self.nest(done[position], done[reader], depth)
            if reader is None or nested is None:
                position += 1
            else:
                done[reader] = nested
                del done[position]
        return done

    def repeat(self, body: list[gast.stmt], position: int, depth: int) -> list[gast.stmt] | None:
        """The block without the temporary at `position`, if it is so light that every reader may say it again."""
        statement, after = body[position], body[position + 1:]
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if self.core.is_temporary(name) and is_pure(value):
                pass
            case _:
                return None
        if self.definitions[name] != 1 or not self.reads[name] and may_raise(value, self.core.types):
            return None
        readers: list[gast.stmt] = []
        inside, here, last = 0, False, -1
        for k, s in enumerate(after):
            if inside == self.reads[name]:      # those are all
                break
            found = [inner for inner in walk([s]) if name in reads(inner)]
            if found:
                readers, here, last = readers + found, here or found[0] is s, k
                inside += sum(occurrences(inner).count(name) for inner in found)
        if inside != self.reads[name] or inside < 2 and here or any(written(s) == name for s in readers):
            return None
        between = after[:last + 1] if last >= 0 and blocks(after[last]) else after[:last]
        turns = {id(inner) for s in walk(after) if isinstance(s, (gast.For, gast.While)) for inner in walk(s.body)}
        if not self.is_light(statement, readers, inside, any(id(s) in turns for s in readers)):
            return None
        if not self.is_stable(value) and any(self.conflict(value, s) for s in between):
            return None
        new = [_replaced(s, name, value) for s in after]
        if any(4 * depth + len(self.spelling.statement(s)) > self.width for s in walk(new[:last + 1])):
            return None
        self.reads.subtract({name: inside})
        self.reads.update(dict.fromkeys(names(value), inside - 1))
        return [*body[:position], *new]

    def is_light(self, statement: gast.Assign, readers: list[gast.stmt], count: int, looped: bool) -> bool:
        """Views and sizes; arithmetic on indices; a test that is an `if` each time; what the user wrote out each time as well."""
        value, type_ = statement.value, self.core.types.get(statement.targets[0].id)
        atoms = all(is_atom(part) for part in gast.iter_child_nodes(value) if isinstance(part, gast.expr))
        match value:
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name()], keywords=[]):
                return True
            case (gast.Subscript(value=gast.Attribute(value=gast.Name(), attr='shape'))
                  | gast.Attribute(value=gast.Name(), attr='size')):
                return count <= 2
            case gast.Compare(left=left) if is_atom(left) and is_atom(value.comparators[0]):
                return all(isinstance(s, gast.If) and isinstance(s.test, gast.Name) for s in readers)
            case gast.BinOp(op=gast.Add() | gast.Sub(), left=left, right=right) if atoms and _is_python_int(type_):
                return count <= 2 or isinstance(left, gast.Name) and isinstance(right, gast.Constant)  # `n + 1` needs no name
            case gast.BinOp() if atoms and isinstance(type_, Scalar):
                return count <= 2 and all(s.role == 'primal' for s in readers)
            case gast.Subscript(value=gast.Name(), slice=index) if isinstance(type_, Scalar) and not looped:
                plain = is_atom(index) or isinstance(index, gast.Tuple) and all(map(is_atom, index.elts))
                return plain and count <= 2 and all(s.role == 'primal' and _same_line(s, statement) for s in readers)
        return False

    def is_stable(self, value: gast.expr) -> bool:
        """It gives the same wherever it is evaluated, in one turn of the loops around it."""
        looked_at = self.memory.of(*memory_reads(value)) & self.memory.written
        return not looked_at and all(self.definitions[n] + (n in self.core.inputs) <= 1 for n in names(value))

    def reader(self, body: list[gast.stmt], position: int) -> int | None:
        """Where the temporary defined at `position` is read, if it may move there."""
        statement = body[position]
        name = defined(statement)
        if isinstance(statement, gast.Assign) and isinstance(self.core.types.get(_base(statement.value)), tuple):
            return None     # one of several results: they are unpacked together
        if not isinstance(statement, gast.Assign) or name is None or self.reads[name] != 1 or self.definitions[name] != 1 \
                or statement.role in ('primal', 'tangent') and not self.core.is_temporary(name):
            return None
        value, pure = statement.value, is_pure(statement.value)
        for index in range(position + 1, len(body)):
            other = body[index]
            if name in reads(other):
                movable = written(other) != name and not isinstance(other, gast.While) and self.fits(other, body[position:index])
                return index if movable else None
            if not pure or self.conflict(value, other):
                return None
        return None

    @staticmethod
    def fits(reader: gast.stmt, between: list[gast.stmt]) -> bool:
        """Derivatives are returned by name, and a value of the primal does not wait for the pullback."""
        return not isinstance(reader, gast.Return) or all(s.role == 'primal' for s in between)

    def conflict(self, value: gast.expr, other: gast.stmt) -> bool:
        """Evaluating `value` after `other` instead of before might give something else."""
        inside = list(walk([other]))
        if all_defined([other]) & set(names(value)):
            return True
        if all_effects(inside, self.memory) & self.memory.of(*memory_reads(value)):
            return True
        ends = any(isinstance(s, (gast.Raise, gast.Expr, gast.Break)) for s in inside)
        return ends and may_raise(value, self.core.types)

    def nest(self, statement: gast.stmt, reader: gast.stmt, depth: int) -> gast.stmt | None:
        name = statement.targets[0].id
        if not is_pure(statement.value) and not _evaluates_first(reader, name):
            return None
        nested = substitute(reader, lambda read: statement.value if read == name else None)
        if callee(statement.value) is not None and getattr(statement.value, 'writes', True):
            return None     # what it changes is looked for in statements
        if isinstance(reader, gast.Assign) and isinstance(reader.value, gast.Name):
            nested = like(nested, origin=statement.origin)      # a copy: the line that computes says more
        width = self.width if self.core.is_temporary(name) else min(self.width, SHORT)
        too_long = 4 * depth + len(self.spelling.statement(nested)) > width
        return None if too_long and not isinstance(statement.value, (gast.Name, gast.Constant)) else nested


def _replaced(statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
    """The statement with `value` for `name` in it and in its blocks."""
    new = substitute(statement, lambda read: value if read == name else None)
    return with_blocks(new, [[_replaced(s, name, value) for s in block] for block in blocks(new)]) if blocks(new) else new


def _is_python_int(type_: object) -> bool:
    return isinstance(type_, Scalar) and type_.weak and type_.dtype.kind == 'i'


def _base(value: gast.expr) -> str:
    return value.value.id if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) else ''


def _same_line(a: gast.stmt, b: gast.stmt) -> bool:
    one, two = getattr(a, 'origin', None), getattr(b, 'origin', None)
    return one is two or one is not None and two is not None and (one.file, one.line) == (two.file, two.line)


def _evaluates_first(reader: gast.stmt, name: str) -> bool:
    """Nothing with an effect, and nothing that could see one, is evaluated in `reader` before `name`."""
    match reader:
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value):
            return next(names(value), None) == name and is_pure(value)
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.put' | 'tape.push'), args=[_, *index, gast.Name(id=read)])):
            return read == name and all(map(is_atom, index))
    return False
